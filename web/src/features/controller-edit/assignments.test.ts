import { buildController } from "@mulkko/shared/testing/builders";
import { describe, expect, it } from "vitest";
import { assignmentsOf } from "./assignments.ts";

const controller = (id: string, name: string) => {
  const { channels: _channels, ...info } = buildController({ id, name });
  return [id, { info }] as const;
};

describe("assignments of the account's sensors", () => {
  it("[controller-edit] finds a sensor on its channel, on the lowest number if it is on several", () => {
    const assignments = assignmentsOf(
      new Map([controller("c", "House"), controller("d", "Field")]),
      new Map([
        ["12", { controllerId: "c", number: 2, sensorIds: ["s", 7] }],
        ["11", { controllerId: "d", number: 1, sensorIds: ["s"] }],
        ["x:1", { controllerId: "x", number: 1, sensorIds: ["u"] }],
      ]),
    );
    expect(assignments.get("s")).toEqual({ controllerId: "d", controller: "Field", number: 1 });
    expect(assignments.get("7")).toMatchObject({ controller: "House", number: 2 });
    expect(assignments.has("u")).toBe(false);
  });
});
