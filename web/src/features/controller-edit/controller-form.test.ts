import { ControllerAddBody, ControllerUpdateBody } from "@mulkko/shared/rest/controller";
import { parse } from "@mulkko/shared/schema/parse";
import { buildController } from "@mulkko/shared/testing/builders";
import { describe, expect, it } from "vitest";
import {
  addBody,
  type ControllerValues,
  changeBody,
  controllerFaults,
  controllerValues,
  EMPTY_CONTROLLER,
} from "./controller-form.ts";

const NONE = { farms: false, drivers: false };
const ALL = { farms: true, drivers: true };
const values = (over: Partial<ControllerValues> = {}): ControllerValues => ({
  ...EMPTY_CONTROLLER,
  name: " House ",
  serial: "0024110901",
  ...over,
});

describe("a controller's form", () => {
  it("[spec 5] name and serial are required", () => {
    expect(controllerFaults(EMPTY_CONTROLLER, NONE)).toEqual({
      name: "nameRequired",
      serial: "serialRequired",
    });
    expect(controllerFaults(values(), NONE)).toEqual({});
  });

  it.each(["24A", "1234567890123456", "-5", "1.5"])("[controller-edit] %s is no serial", (serial) => {
    expect(controllerFaults(values({ serial }), NONE)).toEqual({ serial: "serialDigits" });
  });

  it("[drivers] a valve of another maker needs its address", () => {
    expect(controllerFaults(values({ driver: "tasmota" }), ALL)).toEqual({ address: "addressRequired" });
    expect(controllerFaults(values({ driver: "tasmota", address: "valve-1" }), ALL)).toEqual({});
    expect(controllerFaults(values({ driver: "tasmota" }), NONE)).toEqual({});
  });

  it("[spec 7] a plain API gets the plain contract: no farm and no driver", () => {
    expect(addBody(values({ ch1: ["s"] }), NONE)).toEqual({
      name: "House",
      serial: "24110901",
      description: "",
      type: "CON04V",
      channels: [{ channelNumber: 1, sensorIds: ["s"] }],
    });
    expect(changeBody(values(), { type: "CON04V" }, NONE)).toEqual({
      name: "House",
      serial: "24110901",
      description: "",
      channels: [],
    });
  });

  it("[controller-edit] the type goes with a change only where it is another", () => {
    expect(changeBody(values({ type: "CON04E" }), { type: "CON04V" }, NONE).type).toBe("CON04E");
  });

  it("[controller-edit] where the API takes more, empty means none", () => {
    const body = addBody(values({ clusterId: "3", address: "left over" }), ALL);
    expect(body).toMatchObject({
      clusterId: 3,
      driver: "native",
      address: null,
    });
  });

  it("[controller-edit] what the live stream tells fills the form, and saved at once changes nothing", () => {
    const { channels, ...info } = buildController({ serial: 24110901, clusterId: 2, description: null });
    const list = (channels ?? []).map(({ channelNumber: number, sensors }) => ({
      id: `1${number}`,
      number,
      name: "Tomatoes",
      sensorIds: (sensors ?? []).map(({ id }) => `${id}`),
    }));
    const shown = controllerValues(info, list);
    expect(changeBody(shown, shown, ALL)).toMatchObject({
      serial: "24110901",
      clusterId: 2,
      channels: [{ channelNumber: 1, sensorIds: list[0]?.sensorIds.map(String) }],
    });
  });

  it("[controller-edit] both bodies are what the contract knows", () => {
    for (const offers of [NONE, ALL]) {
      expect(parse(ControllerAddBody, addBody(values({ ch2: ["s"] }), offers))).toMatchObject({ ok: true });
      expect(
        parse(ControllerUpdateBody, changeBody(values({ ch2: ["s"] }), { type: "" }, offers)),
      ).toMatchObject({
        ok: true,
      });
    }
  });
});
