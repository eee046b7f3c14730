/**
 * A small farm behind the API without extensions, as a separate process for browser journeys. `PORT` is the
 * API's port. `CONTROL_PORT` accepts `POST /reading` with the soil sensor's next moisture, `POST /habits` with
 * the changed habits, as JSON, and `POST /administrator`, which makes the account an administrator. It answers
 * anything else with 200.
 */
import { createServer } from "node:http";
import { parse } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import { buildPlainFarm, koreanTime } from "./plain-api.ts";
import { startPlainApi } from "./plain-api-server.ts";

/** Habits that a journey may change. */
const HabitsBody = Type.Partial(
  Type.Object({
    writesBy: Type.Union([Type.Literal("POST"), Type.Literal("PUT"), Type.Null()]),
    bodies: Type.Union([Type.Literal("form"), Type.Literal("json"), Type.Null()]),
    emptyLists: Type.Boolean(),
    afterDeed: Type.Union([Type.Literal("500"), Type.Literal("cut"), Type.Null()]),
    commandsLateMs: Type.Number(),
    overtakenMs: Type.Number(),
    oneSession: Type.Boolean(),
    flagEachMode: Type.Boolean(),
    rowsOnMovement: Type.Boolean(),
    oddFields: Type.Boolean(),
    aheadMs: Type.Number(),
    slowMs: Type.Number(),
  }),
  { additionalProperties: false },
);

const SOIL = "1";
const soil = {
  id: 1,
  name: "토양 1",
  deviceType: "SMS",
  serial: 100_001,
  description: "",
  crops: "",
  widget: true,
  clusterId: 5,
};
const measured = (moisture: number) => ({ at: Date.now(), fields: { moisture, battery: 80 } });
const ROWS_EVERY_MS = 10 * 60_000;
/** A day of readings, the newest a minute old. */
const rows = Array.from({ length: 144 }, (_, back) => ({
  ...measured(Math.round(315 + 40 * Math.sin(back / 12)) / 10),
  at: Date.now() - 60_000 - back * ROWS_EVERY_MS,
})).reverse();
const VALVE = "200001/11";
const states = new Map([[VALVE, { onoff: 2, automatic: 0, reservation: 0, period: 0 }]]);
/** Return the valve controller's own log entry: its only report with such an API (ONL-1). */
const logged = () => ({ at: Date.now(), fields: { valve: states.get(VALVE)?.onoff ?? 0, moisture: 31.5 } });
const valveRows = [logged()];
const LOGS_EVERY_MS = 5_000;
const HOUR_MS = 3_600_000;
setInterval(() => {
  if (!api.habits.rowsOnMovement) valveRows.push(logged());
}, LOGS_EVERY_MS);

const api = await startPlainApi(
  buildPlainFarm({
    farms: [{ id: 5, name: "논산", description: "", sensors: [soil] }],
    sensors: [soil],
    controllers: [
      {
        id: 3,
        serial: 200_001,
        name: "밸브함",
        description: "",
        type: "CON04V",
        channels: [{ id: 11, channelNumber: 1, sensors: [{ id: 1, serial: soil.serial, name: soil.name }] }],
      },
    ],
    logs: new Map([[SOIL, rows]]),
    cotLogs: new Map([["3/1", valveRows]]),
    states,
    moistures: new Map([["11", 31.5]]),
    notifications: [
      {
        type: "BATTERY",
        message: "토양 1의 배터리가 부족합니다",
        createdDate: koreanTime(Date.now() - 3_600_000),
      },
    ],
  }),
  "bare-token",
  Number(process.env.PORT),
);

createServer((request, response) => {
  let body = "";
  request.on("data", (chunk: Buffer) => {
    body += chunk.toString();
  });
  request.on("end", () => {
    if (request.method === "POST" && request.url === "/habits") {
      const habits = parse(HabitsBody, JSON.parse(body));
      if (habits.ok) Object.assign(api.habits, habits.value);
      else response.statusCode = 400;
      // The valve moved last three hours ago.
      if (api.habits.rowsOnMovement)
        valveRows.splice(0, Infinity, { ...logged(), at: Date.now() - 3 * HOUR_MS });
    } else if (request.method === "POST" && request.url === "/administrator") {
      api.farm.account = { ...api.farm.account, userType: "ADMIN" };
    } else if (request.method === "POST") rows.push(measured(Number(body)));
    response.end();
  });
}).listen(Number(process.env.CONTROL_PORT), "127.0.0.1");
