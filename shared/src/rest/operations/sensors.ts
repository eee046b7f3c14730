import Type from "typebox";
import { Sensor } from "../../entities/sensor.ts";
import { ImageAnswer } from "../account.ts";
import { AddedSensor, SensorAddBody, SensorKind, SensorUpdateBody } from "../sensor.ts";
import type { Operation } from "./operation.ts";

export const sensorList = {
  methods: ["GET"],
  path: "/api/v1/sensor/list",
  answer: Type.Array(Sensor),
  readableAs: true,
} as const satisfies Operation;

export const sensorListOfType = {
  methods: ["GET"],
  path: "/api/v1/sensor/list/:deviceType",
  answer: Type.Array(Sensor),
  readableAs: true,
} as const satisfies Operation;

export const widgetList = {
  methods: ["GET"],
  path: "/api/v1/sensor/widget/list",
  answer: Type.Array(Sensor),
  readableAs: true,
} as const satisfies Operation;

export const sensorRead = {
  methods: ["GET"],
  path: "/api/v1/sensor/read/:id",
  answer: SensorKind,
  readableAs: true,
} as const satisfies Operation;

export const sensorAdd = {
  methods: ["POST"],
  path: "/api/v1/sensor/add",
  body: SensorAddBody,
  answer: AddedSensor,
  changes: ["sensor", "farm"],
} as const satisfies Operation;

export const sensorUpdate = {
  methods: ["PUT", "POST"],
  path: "/api/v1/sensor/update/:id",
  body: SensorUpdateBody,
  answer: Sensor,
  changes: ["sensor", "farm"],
} as const satisfies Operation;

export const sensorImage = {
  methods: ["PUT", "POST"],
  path: "/api/v1/sensor/update/:id/image",
  answer: ImageAnswer,
  changes: ["sensor", "farm"],
} as const satisfies Operation;

export const sensorDelete = {
  methods: ["DELETE", "POST"],
  path: "/api/v1/sensor/delete/:id",
  answer: null,
  changes: ["sensor", "farm"],
  removes: { kind: "device", id: "id" },
} as const satisfies Operation;
