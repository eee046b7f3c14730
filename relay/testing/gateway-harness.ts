import { createFakeClock, type FakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers, type FakeTimers } from "@mulkko/shared/testing/fake-timers";
import fastify, { type FastifyInstance } from "fastify";
import type { DisplayAuth } from "../src/displays/display-auth.ts";
import { createAdmission } from "../src/gateway/admission.ts";
import { gatewayPlugin } from "../src/gateway/gateway-plugin.ts";
import type { GatewayLimits } from "../src/gateway/limits.ts";
import { CLOSING_OPTIONS, closingPlugin } from "../src/http/closing.ts";
import { createTrust } from "../src/http/trusted-proxies.ts";
import type { AuditTrail } from "../src/upstream/audit-trail.ts";
import { createFakeFarm, type FakeFarm } from "./fake-farm.ts";
import { createFakeLink, type FakeLink } from "./fake-link.ts";
import { createFakeMetrics, type FakeMetrics } from "./fake-metrics.ts";
import { createSessionDeps } from "./gateway/session-deps.ts";
import { noDisplays } from "./no-displays.ts";
import { until } from "./until.ts";

/** A gateway on a real socket, with fakes of everything behind it. */
export interface GatewayHarness {
  readonly origin: string;
  readonly app: FastifyInstance;
  readonly clock: FakeClock;
  readonly timers: FakeTimers;
  readonly farm: FakeFarm;
  readonly link: FakeLink;
  readonly metrics: FakeMetrics;
  /** Administrators and the accounts that they began to read (HS-2). */
  readonly readings: readonly (readonly [string, string])[];
  /** `ends`: true if the farm API reports ended tokens. */
  readonly mqttCoverage: { ends: boolean };
  /** Close the server while time passes, because it waits for clients that no longer read. */
  close(): Promise<void>;
}

/**
 * Start the harness.
 * @param prepare replaces parts of the farm, such as the streams of a real store
 */
export async function startGatewayHarness(
  limits: Partial<GatewayLimits> = {},
  prepare: (farm: FakeFarm) => FakeFarm = (farm) => farm,
  displays: DisplayAuth = noDisplays,
): Promise<GatewayHarness> {
  const clock = createFakeClock();
  const timers = createFakeTimers(clock);
  const farm = prepare(createFakeFarm(clock));
  const link = createFakeLink();
  const metrics = createFakeMetrics();
  const readings: [string, string][] = [];
  const mqttCoverage = { ends: true };
  const app = fastify(CLOSING_OPTIONS);
  await app.register(closingPlugin);
  const readAs: AuditTrail["readAs"] = ({ id }, account) => void readings.push([String(id), account]);
  const { access, messages } = createSessionDeps(
    farm,
    { clock, timers, metrics },
    { displays, audit: { readAs }, receivesEnds: () => mqttCoverage.ends },
    link,
  );
  const allowedOrigins = ["https://farm.example"];
  const admission = createAdmission({ metrics, trust: createTrust([]), allowedOrigins, limits });
  const runtime = { clock, timers, random: () => 0.5, metrics };
  await app.register(gatewayPlugin, { access, messages, admission, runtime, limits });
  const origin = await app.listen({ host: "127.0.0.1", port: 0 });
  async function close(): Promise<void> {
    let isClosed = false;
    const closed = app.close().then(() => {
      isClosed = true;
    });
    await until(() => {
      timers.advance(250);
      return isClosed;
    });
    await closed;
  }
  return { origin, app, clock, timers, farm, link, metrics, readings, mqttCoverage, close };
}
