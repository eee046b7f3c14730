import { describe, expect, test } from "vitest";
import { deviceBrokerOf } from "./device-broker.ts";

describe("broker of the devices", () => {
  test.each([
    [{ port: 30_001 }, "https://farm.example/app", { host: "farm.example", port: 30_001, tls: false }],
    [{ port: 1883 }, "http://localhost:8080", { host: null, port: 1883, tls: false }],
    [{ port: 1883 }, "http://[::1]:8080", { host: null, port: 1883, tls: false }],
    [
      { url: "mqtt://user:secret@broker.example:1884" },
      "http://x",
      { host: "broker.example", port: 1884, tls: false },
    ],
    [{ url: "mqtts://broker.example" }, "http://x", { host: "broker.example", port: 8883, tls: true }],
    [{ url: "tcp://[fd00::5]" }, "http://x", { host: "fd00::5", port: 1883, tls: false }],
    [{ url: "mqtt://127.0.0.1:1883" }, "http://x", { host: null, port: 1883, tls: false }],
  ])("[devices] names host and port of %j", (broker, publicUrl, expected) => {
    expect(deviceBrokerOf(broker, publicUrl)).toEqual(expected);
  });
});
