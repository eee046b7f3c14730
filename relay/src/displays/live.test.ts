import { CLOSE } from "@mulkko/shared/live/close-codes";
import { OwnDisplay } from "@mulkko/shared/rest/displays";
import { Beats } from "@mulkko/shared/rest/fleet";
import { relayPath } from "@mulkko/shared/rest/routes";
import { buildLogEntry } from "@mulkko/shared/testing/builders";
import { describe, expect, test } from "vitest";
import { connectSocketIo, connectWebSocket, type LiveClient } from "../testing/live-client.ts";
import { until } from "../testing/until.ts";
import {
  buildSettings,
  FOREIGN,
  MINE,
  pair,
  read,
  sharedDisplayRig,
  THEIRS,
  TOKEN,
} from "./testing/display-rig.ts";

describe.each([
  ["the plain door", connectWebSocket],
  ["Socket.IO", connectSocketIo],
])("a display at %s", (_name, connect) => {
  const { rig, call } = sharedDisplayRig();
  const enter = async (token: string): Promise<LiveClient> => {
    const client = await connect(rig().origin);
    client.say({ t: "hello", protocol: 1, token });
    await client.next("welcome");
    return client;
  };
  const own = async (token: string) =>
    (await read(await call("GET", relayPath.ownDisplay, { token }), OwnDisplay)).display;

  test("[HS-2] gets its farms' devices and what changes of them, and no byte of another farm", async () => {
    const { token } = await pair(rig().origin);
    const client = await enter(token);
    client.say({ t: "subscribe", stream: "devices" });
    client.say({ t: "subscribe", stream: "events" });
    const { state } = await client.next("snapshot");
    expect(Object.keys(state)).toEqual(
      expect.arrayContaining([`farm:${MINE.farm}`, `sensor:${MINE.sensor}`, `channel:${MINE.channel}`]),
    );
    for (const sensor of rig().account.sensors) {
      const latestLog = buildLogEntry({
        sensorId: sensor.id,
        createdDate: "2026-11-21 12:01:00",
        moisture: 41,
      });
      rig().account.sensors = rig().account.sensors.map((one) =>
        one === sensor ? { ...one, latestLog } : one,
      );
    }
    await until(() => JSON.stringify(client.received).includes('"moisture":41'));
    const heard = JSON.stringify(client.received);
    for (const word of [FOREIGN, THEIRS.sensor, THEIRS.controller, `"channel:${THEIRS.channel}"`]) {
      expect(heard).not.toContain(word);
    }
    client.leave();
  });

  test("[HS-2] says every message that there is: none but a reader's has an effect", async () => {
    const { token } = await pair(rig().origin);
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
    const { token } = await pair(rig().origin);
    const client = await enter(TOKEN);
    client.say({ t: "auth", token });
    expect(await client.gone).toBe(CLOSE.token);
  });

  test("[displays] a change ends its session so that it comes back with what is set now", async () => {
    const { token, display } = await pair(rig().origin);
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

  test("[displays] a revoked display is told so at once, and again when it comes back", async () => {
    const { token, display } = await pair(rig().origin);
    const client = await enter(token);
    await call("DELETE", relayPath.display(display.id), { token: TOKEN });
    expect(await client.gone).toBe(CLOSE.displayRevoked);
    const again = await connect(rig().origin);
    again.say({ t: "hello", protocol: 1, token });
    expect(await again.next("error")).toMatchObject({ code: "display-revoked", temporary: false });
    expect(await again.gone).toBe(CLOSE.displayRevoked);
  });

  test("[HS-2] an administrator's display with the page shows all devices with their heartbeats, and another never does", async () => {
    const admin = { ...rig().account.account, id: "u-admin", username: "admin", userType: "ADMIN" };
    rig().api.accounts.push({
      ...rig().account,
      farms: [],
      sensors: [],
      account: admin,
      token: "token-admin",
    });
    const settings = buildSettings({ farms: null, pages: ["overview", "fleet"] });
    const { token } = await pair(rig().origin, settings, { token: "token-admin" });
    const client = await enter(token);
    client.say({ t: "subscribe", stream: "fleet" });
    const { stream, state } = await client.next("snapshot");
    expect(stream).toBe("fleet");
    expect(Object.keys(state)).toContain(`device:${MINE.sensor}`);
    const bars = (bearer: string) =>
      call("GET", `${relayPath.fleetBeats}?ids=${MINE.sensor}`, { token: bearer });
    expect((await read(await bars(token), Beats)).beats).toHaveProperty(MINE.sensor);
    client.say({ t: "subscribe", stream: "devices", as: String(rig().account.account.id) });
    expect(await client.next("error")).toMatchObject({ code: "forbidden" });
    client.leave();
    const without = await pair(rig().origin, buildSettings({ farms: null }), { token: "token-admin" });
    const other = await enter(without.token);
    other.say({ t: "subscribe", stream: "fleet" });
    expect(await other.next("error")).toMatchObject({ code: "forbidden", temporary: false });
    expect((await bars(without.token)).status).toBe(403);
    other.leave();
  });

  test("[HS-2] a display whose account is no administrator's any more has the fleet no longer, though nobody comes to change it", async () => {
    const admin = { ...rig().account.account, id: "u-demoted", username: "demoted", userType: "ADMIN" };
    const standing = { ...rig().account, farms: [], sensors: [], account: admin, token: "token-demoted" };
    rig().api.accounts.push(standing);
    const settings = buildSettings({ farms: null, pages: ["fleet"] });
    const { token } = await pair(rig().origin, settings, { token: "token-demoted" });
    standing.account = { ...admin, userType: "USER" };
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

  test("[CRED-1] a display watches with nobody signed in, after a restart too", async () => {
    const { token } = await pair(rig().origin);
    rig().account.token = "nobody is signed in";
    await rig().restart();
    const client = await enter(token);
    client.say({ t: "subscribe", stream: "devices" });
    const { state } = await client.next("snapshot");
    expect(state).toHaveProperty([`sensor:${MINE.sensor}`, "reading", "rssi"]);
    client.leave();
    rig().account.token = TOKEN;
  });
});
