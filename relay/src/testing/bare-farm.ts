/**
 * A small farm behind the bare API, as a process of its own for journeys in a browser: `PORT` is the API's,
 * `CONTROL_PORT` takes `POST /reading` with the moisture that the soil sensor measures next, and answers anything
 * else with 200.
 */
import { createServer } from "node:http";
import { buildBareFarm, startBareApi } from "./bare-api.ts";

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
const rows = [{ ...measured(31.5), at: Date.now() - 60_000 }];
const VALVE = "200001/11";
const states = new Map([[VALVE, { onoff: 2, automatic: 0, reservation: 0, period: 0 }]]);
/** What the valve box logs by itself: the one sign of its life that such an API gives (ONL-1). */
const logged = () => ({ at: Date.now(), fields: { valve: states.get(VALVE)?.onoff ?? 0, moisture: 31.5 } });
const valveRows = [logged()];
const LOGS_EVERY_MS = 5_000;
setInterval(() => valveRows.push(logged()), LOGS_EVERY_MS);

await startBareApi(
  buildBareFarm({
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
    if (request.method === "POST") rows.push(measured(Number(body)));
    response.end();
  });
}).listen(Number(process.env.CONTROL_PORT), "127.0.0.1");
