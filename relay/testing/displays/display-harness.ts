import type { DisplaySettings } from "@mulkko/shared/rest/displays";
import { buildController, buildDisplaySettings, buildSensor } from "@mulkko/shared/testing/builders";
import { type PairedDisplay, pairDisplay, TV_BROWSER } from "@mulkko/testing/stack/displays";
import type { RouteOptions } from "fastify";
import { afterAll, beforeAll } from "vitest";
import { buildFakeAccount, type FakeApiAccount } from "../fake-farm-api.ts";
import { type RelayHarness, startRelayHarness } from "../relay-harness.ts";

export const TOKEN = "token-farmer";
/**
 * Marks the farm that no display of these tests shows. The name occurs only there, so that a test can search
 * for its bytes.
 */
export const FOREIGN = "foreign-farm";
export const MINE = {
  farm: 1,
  sensor: "10000000-0000-4000-8000-000000000001",
  controller: "20000000-0000-4000-8000-000000000001",
  channel: "11",
} as const;
export const THEIRS = {
  farm: 2,
  sensor: "10000000-0000-4000-8000-0000000f0e16",
  controller: "20000000-0000-4000-8000-0000000f0e16",
  channel: "21",
} as const;

export const buildSettings = (change: Partial<DisplaySettings> = {}): DisplaySettings =>
  buildDisplaySettings({ farms: [MINE.farm], pages: ["overview", "alarms"], ...change });

/**
 * Create two farms, each with a sensor that has been silent for years and a controller with an external
 * opening.
 */
export function buildTwoFarms(change: Partial<FakeApiAccount> = {}): FakeApiAccount {
  const silent = { ...buildSensor().latestLog, createdDate: "2020-01-01 00:00:00" };
  const mine = buildSensor({ id: MINE.sensor, latestLog: silent });
  const theirs = buildSensor({
    id: THEIRS.sensor,
    name: `${FOREIGN} sensor`,
    serial: 100777,
    clusterId: THEIRS.farm,
    clusters: [{ id: THEIRS.farm, name: FOREIGN }],
    latestLog: silent,
  });
  const channelOf = (id: string, sensor: typeof mine) => ({
    id: Number(id),
    channelNumber: 1,
    sensors: [{ id: sensor.id, serial: sensor.serial, name: sensor.name ?? null }],
  });
  return buildFakeAccount({
    farms: [
      { id: MINE.farm, name: "House 1", description: null, sensors: [mine] },
      { id: THEIRS.farm, name: FOREIGN, description: FOREIGN, sensors: [theirs] },
    ],
    sensors: [mine, theirs],
    controllers: [
      buildController({ id: MINE.controller, serial: 200001, channels: [channelOf(MINE.channel, mine)] }),
      buildController({
        id: THEIRS.controller,
        serial: 200777,
        name: `${FOREIGN} box`,
        channels: [channelOf(THEIRS.channel, theirs)],
      }),
    ],
    states: new Map([
      ["200001/11", { onoff: 1 }],
      ["200777/21", { onoff: 1 }],
    ]),
    ...change,
  });
}

const RELAY_KEY = "0123456789abcdef";

/** The relay before an API that lets it watch by itself (CRED-1 a), with all of its routes. */
export interface DisplayHarness extends RelayHarness {
  readonly routes: readonly RouteOptions[];
}

export async function startDisplayHarness(
  account = buildTwoFarms(),
  environment: Readonly<Record<string, string>> = {},
): Promise<DisplayHarness> {
  const routes: RouteOptions[] = [];
  const harness = await startRelayHarness(
    account,
    { RELAY_KEY, POLL_LIST_MS: "300", ...environment },
    (api) => {
      api.extensions = ["relay-session", "relay-audit"];
      api.relayKey = RELAY_KEY;
    },
    { onRoute: (route) => void routes.push(route) },
  );
  return Object.assign(Object.create(harness, {}), { routes });
}

/** Return calls of one relay with a token. */
export function callerOf(origin: string) {
  return (
    method: string,
    path: string,
    options: { token?: string; body?: unknown } = {},
  ): Promise<Response> =>
    fetch(origin + path, {
      method,
      headers: {
        "user-agent": TV_BROWSER,
        ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
        ...(options.body !== undefined && { "content-type": "application/json" }),
      },
      ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
    });
}

/** Pair a screen at one relay by an approval at another, which may be the same. */
export const pair = (
  origin: string,
  settings: DisplaySettings = buildSettings(),
  at: { approve?: string; token?: string } = {},
): Promise<PairedDisplay> =>
  pairDisplay(origin, settings, { url: at.approve ?? origin, token: at.token ?? TOKEN });

/**
 * The harness of a whole suite, started before its first test and closed after its last, with calls of its
 * relay.
 */
export function sharedDisplayHarness(): { harness: () => DisplayHarness; call: ReturnType<typeof callerOf> } {
  let started: DisplayHarness | undefined;
  const harness = (): DisplayHarness => {
    if (!started) throw new Error("the harness is available once the tests have begun");
    return started;
  };
  beforeAll(async () => {
    started = await startDisplayHarness();
  });
  afterAll(() => started?.close());
  return { harness, call: (...all) => callerOf(harness().origin)(...all) };
}
