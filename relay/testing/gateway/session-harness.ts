import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import { ServerMessage } from "@mulkko/shared/live/server-messages";
import { parseJson } from "@mulkko/shared/schema/parse";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import type { Session, TransportConnection } from "../../src/gateway/connection.ts";
import { LiveSession } from "../../src/gateway/session.ts";
import { createSessionRegistry } from "../../src/gateway/session-registry.ts";
import { createStreamDeliveries } from "../../src/gateway/stream-delivery.ts";
import { createFakeFarm } from "../fake-farm.ts";
import { createFakeMetrics } from "../fake-metrics.ts";
import { createSessionDeps } from "./session-deps.ts";

/** Create sessions on a fake clock, in front of a farm whose accounts and tokens the test sets. */
export function createSessionHarness() {
  const clock = createFakeClock();
  const timers = createFakeTimers(clock);
  const farm = createFakeFarm(clock);
  const metrics = createFakeMetrics();
  const deps = createSessionDeps(farm, { clock, timers, metrics });
  const registry = createSessionRegistry(10);
  const deliveries = createStreamDeliveries(LIVE_LIMITS, metrics.caughtUp);
  const open = (connection: TransportConnection): Session =>
    new LiveSession(deps, registry, deliveries, connection);
  return { clock, timers, farm, metrics, registry, open };
}

/** Parse what a session sends; it must follow the protocol. */
export function sentMessage({ bytes }: { readonly bytes: Buffer }): ServerMessage {
  const parsed = parseJson(ServerMessage, bytes.toString());
  if (!parsed.ok) throw new Error(`${parsed.path} ${parsed.message}`);
  return parsed.value;
}
