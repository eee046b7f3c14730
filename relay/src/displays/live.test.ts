import { CLOSE } from "@mulkko/shared/live/close-codes";
import { OwnDisplay } from "@mulkko/shared/rest/displays";
import { ActivityHistory } from "@mulkko/shared/rest/fleet";
import { relayPath } from "@mulkko/shared/rest/routes";
import { buildLogEntry } from "@mulkko/shared/testing/builders";
import { read } from "@mulkko/testing/stack/account";
import { describe, expect, test } from "vitest";
import {
  buildSettings,
  FOREIGN,
  MINE,
  pair,
  sharedDisplayHarness,
  THEIRS,
  TOKEN,
} from "../../testing/displays/display-harness.ts";
import {
  connectPolling,
  connectSocketIo,
  connectWebSocket,
  type LiveClient,
} from "../../testing/live-client.ts";
import { until } from "../../testing/until.ts";

describe.each([
  ["the WebSocket transport", connectWebSocket],
  ["Socket.IO", connectSocketIo],
  ["Socket.IO over polling", connectPolling],
])("a display at %s", (_name, connect) => {
  const { harness, call } = sharedDisplayHarness();
  const enter = async (token: string): Promise<LiveClient> => {
    const client = await connect(harness().origin);
    client.say({ t: "hello", protocol: 1, token });
    await client.next("welcome");
    return client;
  };
  const own = async (token: string) =>
    (await read(await call("GET", relayPath.ownDisplay, { token }), OwnDisplay)).display;

  test("[HS-2] gets its farms' devices and their changes, and no byte of another farm", async () => {
    const { token } = await pair(harness().origin);
    const client = await enter(token);
    client.say({ t: "subscribe", stream: "devices" });
    client.say({ t: "subscribe", stream: "events" });
    const { state } = await client.next("snapshot");
    expect(Object.keys(state)).toEqual(
      expect.arrayContaining([`farm:${MINE.farm}`, `sensor:${MINE.sensor}`, `channel:${MINE.channel}`]),
    );
    for (const sensor of harness().account.sensors) {
      const latestLog = buildLogEntry({
        sensorId: sensor.id,
        createdDate: "2026-11-21 12:01:00",
        moisture: 41,
      });
      harness().account.sensors = harness().account.sensors.map((one) =>
        one === sensor ? { ...one, latestLog } : one,
      );
    }
    await until(() => JSON.stringify(client.received).includes('"moisture":41'));
    const received = JSON.stringify(client.received);
    for (const word of [FOREIGN, THEIRS.sensor, THEIRS.controller, `"channel:${THEIRS.channel}"`]) {
      expect(received).not.toContain(word);
    }
    client.leave();
  });

  test("[HS-2] may send every message, of which only a reader's have an effect", async () => {
    const { token } = await pair(harness().origin);
    const client = await enter(token);
    client.say({ t: "subscribe", stream: "fleet" });
    expect(await client.next("error")).toMatchObject({ code: "forbidden", temporary: false });
    client.say({ t: "subscribe", stream: "devices", as: "u2" });
    expect(await client.next("error")).toMatchObject({ code: "forbidden", temporary: false });
    client.say({ t: "hello", protocol: 1, token: TOKEN });
    expect(await client.next("error")).toMatchObject({ code: "bad-message" });
    client.say({ t: "command", command: "onoff" });
    expect(await client.next("error")).toMatchObject({ code: "bad-message" });
    client.say({ t: "auth", token });
    client.say({ t: "active" });
    client.say({ t: "subscribe", stream: "devices", track: [`sensor:${THEIRS.sensor}`] });
    expect(await client.next("snapshot")).toMatchObject({ state: {} });
    client.say({ t: "auth", token: TOKEN });
    expect(await client.gone).toBe(CLOSE.token);
  });

  test("[HS-2] a person's session does not become a display's", async () => {
    const { token } = await pair(harness().origin);
    const client = await enter(TOKEN);
    client.say({ t: "auth", token });
    expect(await client.gone).toBe(CLOSE.token);
  });

  test("[displays] a change ends its session, so that it reconnects with the new settings", async () => {
    const { token, display } = await pair(harness().origin);
    const client = await enter(token);
    await until(async () => (await own(token)).connected);
    const settings = buildSettings({ farms: [THEIRS.farm] });
    await call("PUT", relayPath.display(display.id), { token: TOKEN, body: { settings } });
    expect(await client.gone).toBe(CLOSE.displayChanged);
    const again = await enter(token);
    again.say({ t: "subscribe", stream: "devices" });
    const { state } = await again.next("snapshot");
    expect(Object.keys(state)).toContain(`farm:${THEIRS.farm}`);
    expect(Object.keys(state)).not.toContain(`farm:${MINE.farm}`);
    again.leave();
    await until(async () => !(await own(token)).connected);
  });

  test("[displays] a revoked display is notified at once, and again when it reconnects", async () => {
    const { token, display } = await pair(harness().origin);
    const client = await enter(token);
    await call("DELETE", relayPath.display(display.id), { token: TOKEN });
    expect(await client.gone).toBe(CLOSE.displayRevoked);
    const again = await connect(harness().origin);
    again.say({ t: "hello", protocol: 1, token });
    expect(await again.next("error")).toMatchObject({ code: "display-revoked", temporary: false });
    expect(await again.gone).toBe(CLOSE.displayRevoked);
  });

  test("[HS-2] shows all devices with their heartbeats on an administrator's display with the page, and on no other", async () => {
    const admin = { ...harness().account.account, id: "u-admin", username: "admin", userType: "ADMIN" };
    harness().api.accounts.push({
      ...harness().account,
      farms: [],
      sensors: [],
      account: admin,
      token: "token-admin",
    });
    const settings = buildSettings({ farms: null, pages: ["overview", "fleet"] });
    const { token } = await pair(harness().origin, settings, { token: "token-admin" });
    const client = await enter(token);
    client.say({ t: "subscribe", stream: "fleet" });
    const { stream, state } = await client.next("snapshot");
    expect(stream).toBe("fleet");
    expect(Object.keys(state)).toContain(`device:${MINE.sensor}`);
    const bars = (bearer: string) =>
      call("GET", `${relayPath.fleetBeats}?ids=${MINE.sensor}`, { token: bearer });
    expect((await read(await bars(token), ActivityHistory)).beats).toHaveProperty(MINE.sensor);
    client.say({ t: "subscribe", stream: "devices", as: String(harness().account.account.id) });
    expect(await client.next("error")).toMatchObject({ code: "forbidden" });
    client.leave();
    const without = await pair(harness().origin, buildSettings({ farms: null }), { token: "token-admin" });
    const other = await enter(without.token);
    other.say({ t: "subscribe", stream: "fleet" });
    expect(await other.next("error")).toMatchObject({ code: "forbidden", temporary: false });
    expect((await bars(without.token)).status).toBe(403);
    other.leave();
  });

  test("[HS-2] loses the fleet when its account is no longer an administrator's, without a change by a person", async () => {
    const admin = { ...harness().account.account, id: "u-demoted", username: "demoted", userType: "ADMIN" };
    const demoted = { ...harness().account, farms: [], sensors: [], account: admin, token: "token-demoted" };
    harness().api.accounts.push(demoted);
    const settings = buildSettings({ farms: null, pages: ["fleet"] });
    const { token } = await pair(harness().origin, settings, { token: "token-demoted" });
    demoted.account = { ...admin, userType: "USER" };
    const client = await enter(token);
    client.say({ t: "subscribe", stream: "fleet" });
    expect(await client.gone).toBe(CLOSE.displayChanged);
    const bars = await call("GET", `${relayPath.fleetBeats}?ids=${MINE.sensor}`, { token });
    expect(bars.status).toBe(403);
    const again = await enter(token);
    again.say({ t: "subscribe", stream: "fleet" });
    expect(await again.next("error")).toMatchObject({ code: "forbidden", temporary: false });
    again.leave();
  });

  test("[CRED-1] watches without any signed-in person, also after a restart", async () => {
    const { token } = await pair(harness().origin);
    harness().account.token = "no user is signed in";
    await harness().restart();
    const client = await enter(token);
    client.say({ t: "subscribe", stream: "devices" });
    const { state } = await client.next("snapshot");
    expect(state).toHaveProperty([`sensor:${MINE.sensor}`, "reading", "rssi"]);
    client.leave();
    harness().account.token = TOKEN;
  });
});
