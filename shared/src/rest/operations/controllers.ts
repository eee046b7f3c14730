import Type from "typebox";
import { Controller } from "../../entities/controller.ts";
import { ControllerState } from "../../entities/controller-state.ts";
import { Nullable } from "../../schema/nullable.ts";
import { ImageAnswer } from "../account.ts";
import { CommandAnswer, CommandBody } from "../command.ts";
import { AddedController, ControllerAddBody, ControllerUpdateBody } from "../controller.ts";
import {
  ModeAnswer,
  ModeBody,
  PeriodBody,
  PeriodSetting,
  ReservationBody,
  ReservationSetting,
  TriggerBody,
  TriggerSetting,
} from "../watering.ts";
import type { Operation } from "./operation.ts";

export const controllerList = {
  methods: ["GET"],
  path: "/api/v1/controller",
  answer: Type.Array(Controller),
  readableAs: true,
} as const satisfies Operation;

export const controllerRead = {
  methods: ["GET"],
  path: "/api/v1/controller/:id",
  answer: Controller,
  readableAs: true,
} as const satisfies Operation;

export const controllerAdd = {
  methods: ["POST"],
  path: "/api/v1/controller",
  body: ControllerAddBody,
  answer: AddedController,
  changes: ["controller", "channel"],
} as const satisfies Operation;

export const controllerUpdate = {
  methods: ["PUT", "POST"],
  path: "/api/v1/controller/:id",
  body: ControllerUpdateBody,
  answer: Controller,
  changes: ["controller", "channel"],
} as const satisfies Operation;

export const controllerDelete = {
  methods: ["DELETE"],
  path: "/api/v1/controller/:id",
  answer: null,
  changes: ["controller", "channel"],
  removes: { kind: "device", id: "id" },
} as const satisfies Operation;

/** Extension `controller-image`. */
export const controllerImage = {
  methods: ["PUT", "POST"],
  path: "/api/v1/controller/:id/image",
  answer: ImageAnswer,
  changes: ["controller", "channel"],
} as const satisfies Operation;

export const channelDelete = {
  methods: ["DELETE"],
  path: "/api/v1/sensor/channel/:channelId",
  answer: null,
  changes: ["controller", "channel"],
  removes: { kind: "channel", id: "channelId" },
} as const satisfies Operation;

/** Take a sensor off a channel, by its id or its serial. */
export const channelSensorRemove = {
  methods: ["DELETE"],
  path: "/api/v1/sensor/channel/:channelId/sensor/:sensorId",
  answer: null,
  changes: ["controller", "channel"],
} as const satisfies Operation;

/** Mean moisture of a channel's sensors, %, or null. */
export const channelMoisture = {
  methods: ["GET"],
  path: "/api/v1/sensor/channel/:channelId/moisture",
  answer: Nullable(Type.Number()),
  readableAs: true,
} as const satisfies Operation;

/** The reported state of a channel. */
export const channelState = {
  methods: ["GET"],
  path: "/api/v1/controller/:serial/channel/:channelId/refresh",
  answer: ControllerState,
  readableAs: true,
} as const satisfies Operation;

/** Turn a valve, or reset a watering mode. */
export const controllerCommand = {
  methods: ["POST"],
  path: "/api/v1/controller/cmd",
  body: CommandBody,
  answer: CommandAnswer,
  changes: ["channel"],
  commands: "valve",
  answeredByRelay: true,
} as const satisfies Operation;

/** The older form of a command, for COT sensors. */
export const sensorCommand = {
  methods: ["POST"],
  path: "/api/v1/sensor/cmd",
  body: CommandBody,
  answer: CommandAnswer,
  changes: ["channel"],
  commands: "valve",
  answeredByRelay: true,
} as const satisfies Operation;

// A mode's setting of a channel: read and created without `id`, changed with it.

export const triggerRead = {
  methods: ["GET"],
  path: "/api/v1/controller/channel/:channelId/trigger",
  answer: Nullable(TriggerSetting),
  readableAs: true,
} as const satisfies Operation;

export const triggerAdd = {
  methods: ["POST"],
  path: "/api/v1/controller/channel/:channelId/trigger",
  body: TriggerBody,
  answer: TriggerSetting,
  changes: ["channel"],
  commands: "mode",
} as const satisfies Operation;

export const triggerUpdate = {
  methods: ["PUT", "POST"],
  path: "/api/v1/controller/channel/:channelId/trigger/:id",
  body: TriggerBody,
  answer: TriggerSetting,
  changes: ["channel"],
  commands: "mode",
} as const satisfies Operation;

export const reservationRead = {
  methods: ["GET"],
  path: "/api/v1/controller/channel/:channelId/reservation",
  answer: Nullable(ReservationSetting),
  readableAs: true,
} as const satisfies Operation;

export const reservationAdd = {
  methods: ["POST"],
  path: "/api/v1/controller/channel/:channelId/reservation",
  body: ReservationBody,
  answer: ReservationSetting,
  changes: ["channel"],
  commands: "mode",
} as const satisfies Operation;

export const reservationUpdate = {
  methods: ["PUT", "POST"],
  path: "/api/v1/controller/channel/:channelId/reservation/:id",
  body: ReservationBody,
  answer: ReservationSetting,
  changes: ["channel"],
  commands: "mode",
} as const satisfies Operation;

export const periodRead = {
  methods: ["GET"],
  path: "/api/v1/controller/channel/:channelId/period",
  answer: Nullable(PeriodSetting),
  readableAs: true,
} as const satisfies Operation;

export const periodAdd = {
  methods: ["POST"],
  path: "/api/v1/controller/channel/:channelId/period",
  body: PeriodBody,
  answer: PeriodSetting,
  changes: ["channel"],
  commands: "mode",
} as const satisfies Operation;

export const periodUpdate = {
  methods: ["PUT", "POST"],
  path: "/api/v1/controller/channel/:channelId/period/:id",
  body: PeriodBody,
  answer: PeriodSetting,
  changes: ["channel"],
  commands: "mode",
} as const satisfies Operation;

/** Put a mode in charge of a channel, or none (extension `mode-enable`). */
export const modeEnable = {
  methods: ["PUT", "POST"],
  path: "/api/v1/controller/channel/:channelId/mode",
  body: ModeBody,
  answer: ModeAnswer,
  changes: ["channel"],
  commands: "mode",
} as const satisfies Operation;
