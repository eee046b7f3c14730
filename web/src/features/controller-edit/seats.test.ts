import { buildController } from "@mulkko/shared/testing/builders";
import { describe, expect, it } from "vitest";
import { seatsOf } from "./seats.ts";

const controller = (id: string, name: string) => {
  const { channels: _channels, ...info } = buildController({ id, name });
  return [id, { info }] as const;
};

describe("where the account's sensors sit", () => {
  it("[controller-edit] a sensor is found on its channel, on the lowest where it sits on several", () => {
    const seats = seatsOf(
      new Map([controller("c", "House"), controller("d", "Field")]),
      new Map([
        ["12", { controllerId: "c", number: 2, sensorIds: ["s", 7] }],
        ["11", { controllerId: "d", number: 1, sensorIds: ["s"] }],
        ["x:1", { controllerId: "x", number: 1, sensorIds: ["u"] }],
      ]),
    );
    expect(seats.get("s")).toEqual({ controllerId: "d", controller: "Field", number: 1 });
    expect(seats.get("7")).toMatchObject({ controller: "House", number: 2 });
    expect(seats.has("u")).toBe(false);
  });
});
