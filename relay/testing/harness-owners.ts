import type { Extension } from "@mulkko/shared/rest/capabilities";
import { relaySession } from "@mulkko/shared/rest/operations/relay-calls";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { seededRandom } from "@mulkko/shared/testing/random";
import { AccessEnds } from "../src/access/access-ends.ts";
import { AccountAccess } from "../src/access/account-access.ts";
import { PROOFS, TokenProver } from "../src/access/token-prover.ts";
import { createTokenCipher } from "../src/access/vault.ts";
import { DEFAULT_INTERVALS } from "../src/account/polling/poll-pacing.ts";
import type { OnReading } from "../src/cluster/local-owners.ts";
import { createNodeOwners } from "../src/cluster/node-owners.ts";
import type { OwnersService } from "../src/cluster/owners.ts";
import type { Log } from "../src/runtime/log.ts";
import type { Store } from "../src/store/store.ts";
import { UpstreamStatusError } from "../src/upstream/errors.ts";
import type { LinkWatch } from "../src/upstream/link-monitor.ts";
import { createReception } from "../src/upstream/reception.ts";
import { createRelayKey } from "../src/upstream/relay-key.ts";
import { createUpstreamClock } from "../src/upstream/upstream-clock.ts";
import { createUpstreamLimiter } from "../src/upstream/upstream-limiter.ts";
import type { CreateValveService, ValveService } from "../src/valves/valves.ts";
import { createFakeMetrics } from "./fake-metrics.ts";
import type { FakeUpstream } from "./fake-upstream.ts";

interface HarnessOwnersDeps {
  readonly api: FakeUpstream;
  readonly store: Store;
  readonly link: LinkWatch;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly createService: CreateValveService;
}

interface HarnessOwnersOptions {
  /** Extensions of the farm API; by default none. */
  readonly extensions?: readonly Extension[] | undefined;
  /** By default the relay has no key. */
  readonly relayKey?: string | undefined;
  readonly secret?: string | undefined;
  /** Zone of the farm API; by default Seoul's. */
  readonly zone?: string | undefined;
  /** Returns true while the farm API may be called; by default always. */
  readonly reachable?: () => boolean;
  /** Returns true while units may be polled; by default while the farm API may be called. */
  readonly mayPoll?: () => boolean;
  readonly onReading?: OnReading;
  /** By default throws the error. */
  readonly onError?: (error: unknown) => void;
}

const SECRET = "a-secret-of-the-relay-0123456789";
const PER_SECOND = 1_000;

const rethrow = (error: unknown): never => {
  throw error;
};

/** Create the owners of one node with all of their dependencies, in front of an API without a socket. */
export function createHarnessOwners(
  { api, store, link, clock, timers, log, createService }: HarnessOwnersDeps,
  options: HarnessOwnersOptions = {},
): OwnersService {
  const {
    extensions = [],
    secret = SECRET,
    reachable = () => true,
    mayPoll = reachable,
    onReading = () => undefined,
    onError = rethrow,
  } = options;
  const capabilities = {
    extensions,
    isKnown: true,
    has: (extension: Extension) => extensions.includes(extension),
    listen: () => () => undefined,
  };
  const cipher = createTokenCipher(secret);
  const relayKey = createRelayKey(options.relayKey, capabilities);
  const upstreamClock = createUpstreamClock(createApiTimeZone(options.zone ?? "Asia/Seoul"));
  const ends = new AccessEnds({ client: api, relayKey, clock, timers, log });
  const prover = new TokenProver({
    client: api,
    clock,
    upstreamClock,
    proofs: store.passing(PROOFS),
    receivesSessionEnds: () => true,
    reachable: () => true,
    onError,
  });
  return createNodeOwners(
    {
      store,
      runtime: { clock, timers, random: seededRandom(11), metrics: createFakeMetrics(), log },
      upstream: {
        client: api,
        capabilities,
        prover,
        ends,
        sessions: new AccountAccess({
          ...{ client: api, relayKey, store, cipher, clock, upstreamClock, log, reachable, ends },
        }),
        link,
        clock: upstreamClock,
        reception: createReception({ link, capabilities, upstreamClock, clock, timers, onError }),
      },
      polling: {
        limiter: createUpstreamLimiter({ clock, timers, perSecond: PER_SECOND, reachable: mayPoll }),
        intervals: DEFAULT_INTERVALS,
      },
      createService,
      administers: () => false,
      cipher,
      relayKey,
    },
    onReading,
  );
}

/** Set the answers that the API of every harness has: the relay's login, and 404 for everything else. */
export function answerAsFarm(api: FakeUpstream): void {
  api.answer(relaySession.path, { accessToken: "relay-token" });
  api.answerOthers(new UpstreamStatusError("not found", 404, "not-found", null));
}

/** Create a service whose valves only record commands. */
export function createIdleService(change: Partial<ValveService> = {}): ValveService {
  return {
    command: async () => ({ ok: false, status: 404, code: "not-found", message: "no valves here" }),
    withdraw: async () => ({ ok: false, status: 404, code: "not-found", message: "no valves here" }),
    closeAll: async ({ jobId }) => ({ ok: true, jobId, channels: [] }),
    commands: async () => [],
    waterings: async () => ({ waterings: [], watchedSince: null }),
    report: () => undefined,
    received: () => undefined,
    credentialLent: () => undefined,
    gone: () => undefined,
    close: () => undefined,
    ...change,
  };
}
