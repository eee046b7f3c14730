import { expect, test } from "vitest";
import { OutageReasons } from "./outage-reasons.ts";

test("[NODE-3] an outage names each of its reasons once, however often it is tried, and the next one again", () => {
  const said: string[] = [];
  const reasons = new OutageReasons((reason) => void said.push(reason));
  const code = Object.assign(new AggregateError([], ""), { code: "ECONNREFUSED" });
  const tries = [
    new Error("bad password"),
    code,
    new Error("Command timed out"),
    new Error("connect ETIMEDOUT"),
    "text",
  ];
  for (let round = 0; round < 50; round += 1) for (const error of tries) reasons.failed(error);
  expect(said).toEqual(["bad password", "ECONNREFUSED", "Command timed out", "text"]);
  reasons.over();
  reasons.failed(code);
  expect(said.slice(4)).toEqual(["ECONNREFUSED"]);
});

test("[NODE-3] an outage with ever new reasons names eight of them", () => {
  const said: string[] = [];
  const reasons = new OutageReasons((reason) => void said.push(reason));
  for (let port = 0; port < 100; port += 1) reasons.failed(new Error(`address ${port}`));
  expect(said).toHaveLength(8);
});
