import { AlarmPage } from "@mulkko/shared/rest/alarm";
import { ErrorBody } from "@mulkko/shared/rest/errors";
import { accountUpdate } from "@mulkko/shared/rest/operations/account";
import { controllerCommand, sensorCommand } from "@mulkko/shared/rest/operations/controllers";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { relayPath } from "@mulkko/shared/rest/routes";
import { read } from "@mulkko/testing/stack/account";
import { beforeAll, describe, expect, test, vi } from "vitest";
import {
  buildSettings,
  FOREIGN,
  MINE,
  pair,
  sharedDisplayHarness,
  THEIRS,
  TOKEN,
} from "../../testing/displays/display-harness.ts";

/**
 * Routes that a display may use. A new route is refused until it is listed here and allowed by the route
 * itself.
 */
const OPEN = [
  "GET /relay/alarms",
  "GET /relay/config",
  "GET /relay/display",
  "GET /relay/fleet/beats",
  "GET /relay/history",
  "GET /relay/waterings",
  "GET /relay/waterings/preview",
  "GET /relay/weather",
  "POST /relay/alarms/:id/ack",
];

describe("the access of a display's token", () => {
  const { harness, call } = sharedDisplayHarness();
  let token: string;
  let acking: string;
  const alarms = async (bearer: string) =>
    (await read(await call("GET", relayPath.alarms, { token: bearer }), AlarmPage)).content;

  beforeAll(async () => {
    ({ token } = await pair(harness().origin));
    const settings = buildSettings({ name: "Acking wall", scope: "ack" });
    ({ token: acking } = await pair(harness().origin, settings));
    // A silent sensor and an external opening on each of the two farms.
    await vi.waitFor(async () => expect(await alarms(TOKEN)).toHaveLength(4), {
      timeout: 20_000,
      interval: 200,
    });
  });

  test("[HS-2] a display is refused on every route but those that read its farms", async () => {
    const routes = harness().routes.flatMap(({ method, url, config }) =>
      [method].flat().map((verb) => ({ verb: String(verb), url, may: config?.display })),
    );
    const opened = routes.filter(({ may, verb }) => may !== undefined && verb !== "HEAD");
    expect(opened.map(({ verb, url }) => `${verb} ${url}`).sort()).toEqual(OPEN);
    const before = harness().api.calls.length;
    const closed = routes.filter(({ may }) => may === undefined);
    expect(closed.length).toBeGreaterThan(40);
    for (const { verb, url } of closed) {
      if (verb === "TRACE" || verb === "CONNECT") continue;
      const path = url.replaceAll(/:[a-zA-Z]+/g, "11").replaceAll("*", "v1/sensor/list");
      const response = await call(verb, path, { token: acking });
      // A slash at the end is another spelling of a path, from any sender (PATH-1).
      const status = /^\/(api|relay|images)\/(.*\/)?$/.test(path) ? 404 : 403;
      expect(`${verb} ${url} ${response.status}`).toBe(`${verb} ${url} ${status}`);
    }
    expect(
      harness()
        .api.calls.slice(before)
        .filter((one) => one.token === acking),
    ).toEqual([]);
  });

  test("[HS-2] a display commands nothing: no valve, no closing of a whole farm, no setting", async () => {
    const body = {
      uuid: MINE.controller,
      command: "onoff",
      deviceType: "controller",
      channel: 1,
      payload: 1,
    };
    const writes: [string, string, unknown][] = [
      ["POST", controllerCommand.path, body],
      ["POST", sensorCommand.path, body],
      ["POST", relayPath.closeAll(MINE.farm), {}],
      ["PUT", relayPath.settings, { adoptExternal: true }],
      ["PUT", pathTo(accountUpdate, { id: "1" }), { nickname: "x" }],
      ["POST", relayPath.stopWatching, {}],
      ["POST", relayPath.displays, { code: "BCDFGHJK", settings: buildSettings() }],
    ];
    for (const [method, path, said] of writes) {
      const response = await call(method, path, { token: acking, body: said });
      expect(await read(response, ErrorBody)).toMatchObject({ status: 403, code: "forbidden" });
    }
    expect(harness().api.calls.filter(({ method }) => method === "BODY")).toEqual([]);
  });

  test("[HS-2] alarms, waterings, history and weather for a display contain no byte of another farm", async () => {
    const range = "from=2026-11-21T00:00:00.000Z&to=2026-11-21T06:00:00.000Z";
    const foreign = await call("GET", `${relayPath.history}?ids=${THEIRS.sensor}&${range}`, { token });
    expect(foreign.status).toBe(404);
    const channel = await call("GET", `${relayPath.history}?channels=${THEIRS.controller}:1&${range}`, {
      token,
    });
    expect(channel.status).toBe(404);
    const paths = [
      relayPath.alarms,
      `${relayPath.alarms}?past=true`,
      relayPath.waterings,
      `${relayPath.waterings}?farm=${THEIRS.farm}`,
      relayPath.wateringPreview,
      relayPath.weather,
      `${relayPath.weather}?farm=${THEIRS.farm}`,
    ];
    for (const path of paths) {
      const text = await (await call("GET", path, { token })).text();
      for (const word of [FOREIGN, THEIRS.sensor, THEIRS.controller]) expect(text).not.toContain(word);
    }
    const seen = await alarms(token);
    expect(seen.map(({ key }) => key).sort()).toEqual([`channel:${MINE.channel}`, `sensor:${MINE.sensor}`]);
    const waterings = await (await call("GET", relayPath.waterings, { token })).json();
    expect(waterings).toMatchObject({ waterings: [{ channelId: MINE.channel }] });
  });

  test("[HS-2] a display of some farms gets alarms without the names that they contain", async () => {
    expect((await alarms(TOKEN)).every(({ name }) => name !== undefined)).toBe(true);
    expect((await alarms(token)).filter((alarm) => "name" in alarm || "number" in alarm)).toEqual([]);
  });

  test("[HS-2] a display of all farms reads no history of devices that the account does not have", async () => {
    const all = await pair(harness().origin, buildSettings({ farms: null }));
    const before = harness().api.calls.length;
    const range = "from=2026-11-21T00:00:00.000Z&to=2026-11-21T06:00:00.000Z";
    const ask = (what: string) => call("GET", `${relayPath.history}?${what}&${range}`, { token: all.token });
    expect((await ask("ids=10000000-0000-4000-8000-00000000dead")).status).toBe(404);
    expect(
      harness()
        .api.calls.slice(before)
        .filter(({ path }) => path.includes("dead")),
    ).toEqual([]);
    harness().account.cotLogs.set(`${THEIRS.controller}/1`, []);
    expect((await ask(`channels=${THEIRS.controller}:1`)).status).toBe(200);
  });

  test("[HS-2] a farmer's display reads no heartbeats, although an administrator's may", async () => {
    const answer = await call("GET", `${relayPath.fleetBeats}?ids=${MINE.sensor}`, { token: acking });
    expect(await read(answer, ErrorBody)).toMatchObject({ status: 403, code: "forbidden" });
  });

  test("[CRED-1] a display reads history with the relay's own session", async () => {
    harness().account.cotLogs.set(`${MINE.controller}/1`, []);
    const before = harness().api.calls.length;
    const range = "from=2026-11-21T00:00:00.000Z&to=2026-11-21T06:00:00.000Z";
    const path = `${relayPath.history}?channels=${MINE.controller}:1&${range}`;
    expect((await call("GET", path, { token })).status).toBe(200);
    const asked = harness()
      .api.calls.slice(before)
      .filter((one) => one.path.includes("/log/cot/"));
    expect(asked.length).toBeGreaterThan(0);
    for (const one of asked) expect(one.token).toMatch(/^relay-token:/);
  });

  test("[ALM-7] acknowledges only with the scope `ack`, only on its farms, under the display's name", async () => {
    const [mine] = (await alarms(token)).filter(({ key }) => key.startsWith("sensor:"));
    const [theirs] = (await alarms(TOKEN)).filter(({ key }) => key === `sensor:${THEIRS.sensor}`);
    if (!mine || !theirs) throw new Error("each farm has a silent sensor");
    const ack = (id: string, bearer: string) =>
      call("POST", relayPath.acknowledgeAlarm(id), { token: bearer, body: {} });
    expect((await ack(mine.id, token)).status).toBe(403);
    expect((await ack(theirs.id, acking)).status).toBe(404);
    expect((await ack(mine.id, acking)).status).toBe(200);
    const acked = (await alarms(TOKEN)).find(({ id }) => id === mine.id);
    expect(acked?.ack?.by.nickname).toBe("Acking wall");
    const snooze = { until: new Date(Date.now() + 3_600_000).toISOString(), reason: "later" };
    const put = await call("POST", relayPath.snoozeAlarm(mine.id), { token: acking, body: snooze });
    expect(put.status).toBe(403);
  });

  test("[HS-2] reads nothing as another account with a display's token", async () => {
    expect((await call("GET", `${relayPath.alarms}?as=u2`, { token })).status).toBe(403);
  });
});
