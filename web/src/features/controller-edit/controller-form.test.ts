import { ControllerAddBody, ControllerUpdateBody } from "@mulkko/shared/rest/controller";
import { parse } from "@mulkko/shared/schema/parse";
import { buildController } from "@mulkko/shared/testing/builders";
import { describe, expect, it } from "vitest";
import {
  addBody,
  type ControllerValues,
  changeBody,
  channelFields,
  controllerFaults,
  controllerValues,
  EMPTY_CONTROLLER,
  lateChannelsBody,
} from "./controller-form.ts";

const NO_CHANNELS = channelFields([]);
const NONE = { farms: false, drivers: false };
const ALL = { farms: true, drivers: true };
const values = (over: Partial<ControllerValues> = {}): ControllerValues => ({
  ...EMPTY_CONTROLLER,
  name: " House ",
  serial: "0024110901",
  ...over,
});

describe("controller form", () => {
  it("[spec 5] requires name and serial", () => {
    expect(controllerFaults(EMPTY_CONTROLLER, NONE)).toEqual({
      name: "nameRequired",
      serial: "serialRequired",
    });
    expect(controllerFaults(values(), NONE)).toEqual({});
  });

  it.each(["24A", "1234567890123456", "-5", "1.5"])("[controller-edit] rejects %s as a serial", (serial) => {
    expect(controllerFaults(values({ serial }), NONE)).toEqual({ serial: "serialDigits" });
  });

  it("[drivers] requires an address for a third-party valve", () => {
    expect(controllerFaults(values({ driver: "tasmota" }), ALL)).toEqual({ address: "addressRequired" });
    expect(controllerFaults(values({ driver: "tasmota", address: "valve-1" }), ALL)).toEqual({});
    expect(controllerFaults(values({ driver: "tasmota" }), NONE)).toEqual({});
  });

  it("[spec 7] sends only fields of the base contract to an API without extensions: no farm and no driver", () => {
    expect(addBody(values({ ...NO_CHANNELS, ch1: ["s"] }), NONE)).toEqual({
      name: "House",
      serial: "24110901",
      description: "",
      type: "CON04V",
      channels: [{ channelNumber: 1, sensorIds: ["s"] }],
    });
    expect(changeBody(values(NO_CHANNELS), { type: "CON04V" }, NONE)).toEqual({
      name: "House",
      serial: "24110901",
      description: "",
      channels: [],
    });
  });

  it("[controller-add] sends channels without sensors in a separate call to an API without extensions", () => {
    const added = addBody(values(), NONE);
    expect(added.channels).toBeUndefined();
    const late = lateChannelsBody(values(), added);
    expect(late).toMatchObject({ name: "House", serial: "24110901" });
    expect(late?.channels?.map(({ channelNumber }) => channelNumber)).toEqual([1, 2, 3, 4]);
    expect(lateChannelsBody(values(), addBody(values(), ALL))).toBeNull();
    expect(lateChannelsBody(values(NO_CHANNELS), addBody(values(NO_CHANNELS), NONE))).toBeNull();
  });

  it("[controller-edit] sends the type only if it changed", () => {
    expect(changeBody(values({ type: "CON04E" }), { type: "CON04V" }, NONE).type).toBe("CON04E");
  });

  it("[controller-edit] sends an empty value to clear a field that the API supports", () => {
    const body = addBody(values({ clusterId: "3", address: "left over" }), ALL);
    expect(body).toMatchObject({
      clusterId: 3,
      driver: "native",
      address: null,
    });
  });

  it("[controller-edit] is filled from the live stream, and changes nothing if saved at once", () => {
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

  it("[controller-edit] sends bodies that match the contract", () => {
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
