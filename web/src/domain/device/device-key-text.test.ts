import { DEVICE_TYPES } from "@mulkko/shared/catalogue/registry";
import { describe, expect, it } from "vitest";
import { connectionOf, firstMessage, keyGroups, triedSensor, tryLine } from "./device-key-text.ts";

const KEY = "0123456789abcdef0123456789abcdef";

describe("device key", () => {
  it("[devices] is shown in groups of four, without losing a character", () => {
    expect(keyGroups(KEY)).toHaveLength(8);
    expect(keyGroups(KEY)[3]).toBe("cdef");
    expect(keyGroups("12345")).toEqual(["1234", "5"]);
    expect(keyGroups(KEY).join("")).toBe(KEY);
  });

  it("[devices] has an example command that connects to the broker as the device and sends measurements of its type", () => {
    const key = { deviceKey: KEY, mqtt: { host: "broker.example", port: 30_001, tls: false } };
    expect(tryLine(key, "24119999", triedSensor("SMS"), "farm.local")).toBe(
      `mosquitto_pub -h broker.example -p 30001 -u 24119999 -P ${KEY} -t mulkko/24119999/up -m '{"soilTemperature":21.5,"moisture":55,"battery":55}'`,
    );
  });

  it("[devices] falls back to the page's host and the default port, and uses TLS if the broker does", () => {
    const line = (mqtt?: { host: string | null; port: number; tls: boolean }) =>
      tryLine({ deviceKey: KEY, ...(mqtt ? { mqtt } : {}) }, "7", triedSensor("SMS"), "farm.local");
    expect(line()).toContain("-h farm.local -p 1883 -u");
    expect(line({ host: null, port: 8883, tls: true })).toContain(
      "-h farm.local -p 8883 --tls-use-os-certs -u",
    );
  });

  it.each([
    ...DEVICE_TYPES.map(({ type }) => triedSensor(type)),
    { kind: "controller", channel: 3 } as const,
  ])("[devices] says user, broker and topic in words as its example command does: %o", (device) => {
    for (const mqtt of [
      undefined,
      { host: null, port: 8883, tls: true },
      { host: "b", port: 1, tls: false },
    ]) {
      const key = { deviceKey: KEY, ...(mqtt && { mqtt }) };
      const { user, broker, tls, topic } = connectionOf(key, "24119999", device, "farm.local");
      const [host, port] = broker.split(":");
      const line = tryLine(key, "24119999", device, "farm.local");
      expect(line).toContain(`-h ${host} -p ${port} `);
      expect(line).toContain(`-u ${user} -P ${KEY} -t ${topic} `);
      expect(line.includes("--tls")).toBe(tls);
    }
  });

  it("[devices] sends the state of a channel for a controller", () => {
    const line = tryLine({ deviceKey: KEY }, "7", { kind: "controller", channel: 2 }, "farm.local");
    expect(line).toContain(`-t mulkko/7/ch/2/state -m '{"onoff":2}'`);
  });

  it.each(DEVICE_TYPES)("[devices] sends plausible values of $type", ({ type, fields }) => {
    const { body } = firstMessage(triedSensor(type));
    if (type === "COT") return expect(body).toEqual({ onoff: 2 });
    expect(Object.keys(body)).toEqual(fields.map(({ name }) => name));
    for (const { name, range } of fields) {
      expect(body[name]).toBeGreaterThanOrEqual(range[0]);
      expect(body[name]).toBeLessThanOrEqual(range[1]);
    }
  });
});
