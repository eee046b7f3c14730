import { createFakeClock, type FakeClock } from "@mulkko/shared/testing/fake-clock";
import fastify, { type FastifyInstance } from "fastify";
import { gatewayPlugin } from "../gateway/gateway-plugin.ts";
import type { GatewayLimits } from "../gateway/limits.ts";
import { createTrust } from "../gateway/trusted-proxies.ts";
import type { DisplayDoor } from "../ports/displays.ts";
import { createFakeFarm, type FakeFarm } from "./fake-farm.ts";
import { createFakeLink, type FakeLink } from "./fake-link.ts";
import { createFakeMetrics, type FakeMetrics } from "./fake-metrics.ts";
import { createFakeTimers, type FakeTimers } from "./fake-timers.ts";
import { noDisplays } from "./no-displays.ts";

/** A gateway on a real socket over fakes of everything behind it. */
export interface GatewayRig {
  readonly origin: string;
  readonly app: FastifyInstance;
  readonly clock: FakeClock;
  readonly timers: FakeTimers;
  readonly farm: FakeFarm;
  readonly link: FakeLink;
  readonly metrics: FakeMetrics;
  /** Who began to read whom (HS-2). */
  readonly readings: readonly (readonly [string, string])[];
}

/** @param prepare what is put in the place of the farm's parts, such as the streams of a real store */
export async function startGatewayRig(
  limits: Partial<GatewayLimits> = {},
  prepare: (farm: FakeFarm) => FakeFarm = (farm) => farm,
  displays: DisplayDoor = noDisplays,
): Promise<GatewayRig> {
  const clock = createFakeClock();
  const timers = createFakeTimers(clock);
  const farm = prepare(createFakeFarm(clock));
  const link = createFakeLink();
  const metrics = createFakeMetrics();
  const readings: [string, string][] = [];
  const app = fastify();
  await app.register(gatewayPlugin, {
    owners: farm.owners,
    prover: farm.prover,
    displays,
    audit: { readAs: ({ id }, account) => void readings.push([String(id), account]) },
    link,
    clock,
    timers,
    random: () => 0.5,
    metrics,
    limits,
    identity: { node: "node-1", build: "build-1", apiTimezone: "Asia/Seoul" },
    trust: createTrust([]),
    allowedOrigins: ["https://farm.example"],
  });
  const origin = await app.listen({ host: "127.0.0.1", port: 0 });
  return { origin, app, clock, timers, farm, link, metrics, readings };
}
