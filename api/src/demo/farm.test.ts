import { CONTROLLER_TYPES } from "@mulkko/shared/catalogue/controller-types";
import { DEVICE_TYPES } from "@mulkko/shared/catalogue/registry";
import { MAX_SENSORS_PER_CHANNEL } from "@mulkko/shared/rules/valve";
import { describe, expect, test } from "vitest";
import { DEMO_ACCOUNTS, DEMO_CONTROLLERS, DEMO_DEVICES, DEMO_FARMS } from "./farm.ts";

describe("the demo farm", () => {
  test("[demo] has a device of every type of the specification", () => {
    const types = new Set(DEMO_DEVICES.map((device) => device.deviceType));
    // The specification has 15; a type that the catalogue has beyond it needs no device here.
    const specified = DEVICE_TYPES.map((type) => type.type).slice(0, 15);
    expect(specified.filter((type) => !types.has(type))).toEqual([]);
  });

  test("[demo] gives every device and controller a serial of at most 15 digits and an id of its own", () => {
    const all = [...DEMO_DEVICES, ...DEMO_CONTROLLERS];
    expect(new Set(all.map((one) => one.serial)).size).toBe(all.length);
    expect(new Set(all.map((one) => one.id)).size).toBe(all.length);
    for (const { serial, id } of all) {
      expect(String(serial)).toMatch(/^\d{1,15}$/);
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
  });

  test("[demo] keeps every device on a farm of its owner, on Korean ground", () => {
    const farms = new Map(DEMO_FARMS.map((farm) => [farm.key, farm]));
    const names = DEMO_ACCOUNTS.map((account) => account.username);
    for (const device of DEMO_DEVICES) {
      expect(names).toContain(device.owner);
      expect(farms.get(device.farm)?.owner).toBe(device.owner);
      expect(device.latitude).toBeGreaterThan(33);
      expect(device.latitude).toBeLessThan(39);
      expect(device.longitude).toBeGreaterThan(124);
      expect(device.longitude).toBeLessThan(132);
    }
  });

  test("[demo] names every wholly synthetic device as such, and no other", () => {
    for (const device of DEMO_DEVICES) {
      const madeUp = device.source.kind === "synthetic" || device.source.kind === "valves";
      expect(device.name.includes("(합성)")).toBe(madeUp);
    }
  });

  test("[demo] assigns to channels only sensors of the owner, of an allowed kind, at most three, each once", () => {
    const used = DEMO_CONTROLLERS.flatMap(({ channels }) =>
      channels.flatMap((channel) => channel.sensorSerials),
    );
    expect(new Set(used).size).toBe(used.length);
    for (const controller of DEMO_CONTROLLERS) {
      const allowed: readonly string[] = CONTROLLER_TYPES[controller.type].sensorTypes;
      for (const { sensorSerials } of controller.channels) {
        expect(sensorSerials.length).toBeLessThanOrEqual(MAX_SENSORS_PER_CHANNEL);
        for (const serial of sensorSerials) {
          const sensor = DEMO_DEVICES.find((device) => device.serial === serial);
          expect(sensor?.owner).toBe(controller.owner);
          expect(allowed).toContain(sensor?.deviceType);
        }
      }
    }
  });

  test("[demo] gives the farmer a CON04V with four channels and a CON01W with one", () => {
    const own = DEMO_CONTROLLERS.filter((controller) => controller.owner === "farmer");
    expect(own.map((controller) => [controller.type, controller.channels.length])).toEqual([
      ["CON04V", 4],
      ["CON01W", 1],
    ]);
  });
});
