import { systemClock } from "@mulkko/shared/rules/clock";
import fastify from "fastify";
import { type AccessDeps, createAccess } from "../../src/gateway/access.ts";
import { GATEWAY_LIMITS } from "../../src/gateway/limits.ts";
import type { SessionDeps } from "../../src/gateway/session.ts";
import { createRelayMessages } from "../../src/gateway/welcome.ts";
import type { LinkMonitor } from "../../src/upstream/link-monitor.ts";
import type { FakeFarm } from "../fake-farm.ts";
import { createFakeLink } from "../fake-link.ts";
import { createFakeMetrics } from "../fake-metrics.ts";
import { noDisplays } from "../no-displays.ts";

/** Create the dependencies of sessions in front of a farm. */
export function createSessionDeps(
  { owners, prover }: FakeFarm,
  {
    clock = systemClock,
    timers,
    metrics = createFakeMetrics(),
  }: Pick<SessionDeps, "timers"> & Partial<Pick<SessionDeps, "clock" | "metrics">>,
  access: Partial<AccessDeps> = {},
  link: LinkMonitor = createFakeLink(),
): SessionDeps {
  const { log } = fastify();
  const identity = { node: "node-1", build: "build-1", apiTimezone: "Asia/Seoul" };
  const audit = { readAs: () => undefined };
  return {
    access: createAccess({
      ...{ owners, prover, displays: noDisplays, audit, receivesEnds: () => true, log },
      ...access,
    }),
    messages: createRelayMessages(identity, link, clock),
    ...{ metrics, limits: GATEWAY_LIMITS, clock, timers, log },
  };
}
