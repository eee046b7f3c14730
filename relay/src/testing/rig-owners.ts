import type { Extension } from "@mulkko/shared/rest/capabilities";
import { apiPath } from "@mulkko/shared/rest/routes";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock } from "@mulkko/shared/rules/clock";
import { seededRandom } from "@mulkko/shared/testing/random";
import { createNodeOwners } from "../cluster/node-owners.ts";
import type { OwnersDesk } from "../cluster/owners.ts";
import { createSeal } from "../cluster/seal.ts";
import { createClockSuspicion } from "../core/clock-suspicion.ts";
import { DEFAULT_INTERVALS } from "../core/poll-pacing.ts";
import type { Log } from "../ports/log.ts";
import type { Timers } from "../ports/timers.ts";
import type { CreateValveDesk, ValveDesk } from "../ports/valves.ts";
import { createHearing } from "../sources/hearing.ts";
import type { Store } from "../store/store.ts";
import { createAccountSessions } from "../upstream/account-sessions.ts";
import { UpstreamStatusError } from "../upstream/errors.ts";
import { createGate } from "../upstream/gate.ts";
import type { LinkWatch } from "../upstream/link-monitor.ts";
import { createTokenProver } from "../upstream/token-prover.ts";
import { createUpstreamClock } from "../upstream/upstream-clock.ts";
import { createFakeMetrics } from "./fake-metrics.ts";
import type { FakeUpstream } from "./fake-upstream.ts";

export interface RigOwnersParts {
  readonly api: FakeUpstream;
  readonly store: Store;
  readonly link: LinkWatch;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly extensions: readonly Extension[];
  readonly relayKey: string | undefined;
  readonly secret: string | undefined;
  /** The farm API may be asked. */
  readonly reachable: () => boolean;
  /** Units may be polled; left out: while the farm API may be asked. */
  readonly mayPoll?: () => boolean;
  readonly createDesk: CreateValveDesk;
  readonly onReading?: (accountId: string, sensorId: string, at: number) => void;
  readonly onError: (error: unknown) => void;
}

const SECRET = "a-secret-of-the-relay-0123456789";
const PER_SECOND = 1_000;

/** The owners of one node with all that stands around them, in front of an API behind no socket. */
export function createRigOwners(parts: RigOwnersParts): OwnersDesk {
  const { api, store, link, clock, timers, log, extensions, reachable, onError } = parts;
  const capabilities = {
    extensions,
    has: (extension: Extension) => extensions.includes(extension),
    listen: () => () => undefined,
  };
  const seal = createSeal(parts.secret ?? SECRET);
  const key = parts.relayKey;
  return createNodeOwners({
    store,
    client: api,
    gate: createGate({ clock, timers, perSecond: PER_SECOND, reachable: parts.mayPoll ?? reachable }),
    prover: createTokenProver({ client: api, clock, proofs: store.proofs, onError }),
    capabilities,
    sessions: createAccountSessions({ client: api, capabilities, store, seal, clock, log, key, reachable }),
    upstreamClock: createUpstreamClock(),
    createDesk: parts.createDesk,
    ...(parts.onReading && { onReading: parts.onReading }),
    hearing: createHearing({ link, capabilities, clock, onError }),
    suspicion: createClockSuspicion(),
    administers: () => false,
    zone: createApiTimeZone("Asia/Seoul"),
    clock,
    timers,
    random: seededRandom(11),
    intervals: DEFAULT_INTERVALS,
    metrics: createFakeMetrics(),
    log,
    stretch: () => 1,
    link,
    perSecond: PER_SECOND,
    seal,
  });
}

/** What the API of every rig knows: how the relay signs in, and that everything else is not found. */
export function answerAsFarm(api: FakeUpstream): void {
  api.answer(apiPath.relaySession, { accessToken: "relay-token" });
  api.answerOthers(new UpstreamStatusError("not found", 404, "not-found", null));
}

/** A desk whose valves only remember. */
export function createIdleDesk(change: Partial<ValveDesk> = {}): ValveDesk {
  return {
    command: async () => ({ ok: false, status: 404, code: "not-found", message: "no valves here" }),
    withdraw: async () => ({ ok: false, status: 404, code: "not-found", message: "no valves here" }),
    closeAll: async ({ jobId }) => ({ ok: true, jobId, channels: [] }),
    commands: async () => [],
    waterings: async () => [],
    report: () => undefined,
    heard: () => undefined,
    gone: () => undefined,
    close: () => undefined,
    ...change,
  };
}
