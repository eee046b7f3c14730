import type { LiveEvent } from "@mulkko/shared/live/events";
import type { Clock } from "@mulkko/shared/rules/clock";
import { buildAccount } from "@mulkko/shared/testing/builders";
import type { ProofFailure, ProvenAccount, TokenProver } from "../src/access/token-prover.ts";
import type { Viewer } from "../src/account/viewing.ts";
import type { Owners } from "../src/cluster/owners.ts";
import { changeFrame, emptyGathering, gatherDel, gatherSet, takeGathered } from "../src/store/gather.ts";
import { FLEET } from "../src/store/shard.ts";
import { createDeviceCopy } from "../src/store/streams/device-copy.ts";
import { createEventCopy } from "../src/store/streams/event-copy.ts";
import type { DeviceStream, StateValue } from "../src/store/streams.ts";
import { NoAccessError, UpstreamUnreachableError } from "../src/upstream/errors.ts";

/** An account whose streams a test changes by hand. */
export interface FakeAccount {
  readonly id: string;
  readonly epoch: string;
  /** Flush once: whole values, and removed keys. */
  change(set: Readonly<Record<string, StateValue>>, del?: readonly string[]): void;
  event(event: LiveEvent): void;
  /** Viewers that have not been released. */
  readonly viewers: number;
  /** Number of activities of its viewers. */
  readonly activities: number;
  readonly tokens: readonly string[];
  readonly tracked: readonly (ReadonlySet<string> | undefined)[];
}

/** Accounts, tokens and owners as the gateway sees them. */
export interface FakeFarm {
  readonly prover: Pick<TokenProver, keyof TokenProver>;
  readonly owners: Owners;
  readonly written: { accountId: string; path: string; named?: string }[];
  readonly rejected: string[];
  /** Accounts whose tokens were doubted. */
  readonly doubted: string[];
  /** Let the upstream reject the token from now on. */
  revoke(token: string): void;
  account(id: string): FakeAccount;
  readonly fleet: FakeAccount;
  /** Return the account's copy of `devices`. */
  stream(id: string): DeviceStream;
  /** Let the upstream accept a token for an account, for a number of ms. */
  grant(token: string, accountId: string, forMs?: number, userType?: "ADMIN" | "USER"): void;
  /** Set the upstream's failure for any other token. */
  refuse(kind: ProofFailure["kind"]): void;
  /** Delay the read of the fleet. */
  holdFleet(until: Promise<void>): void;
  /** Let the next reads of other accounts fail. */
  breakViews(error?: Error): void;
}

interface HeldAccount extends FakeAccount {
  readonly devices: DeviceStream;
  view(token: string): Viewer;
}

const fail = (error: unknown): never => {
  throw error;
};

export function createFakeFarm(clock: Clock): FakeFarm {
  const accounts = new Map<string, HeldAccount>();
  const tokens = new Map<string, ProvenAccount>();
  const listeners = new Set<(token: string) => void>();
  const doubters = new Set<(accountId: string) => void>();
  let refusal: ProofFailure["kind"] = "rejected";
  let viewsBreak: Error | null = null;
  let fleetHeld = Promise.resolve();

  function createAccount(id: string): HeldAccount {
    const epoch = `epoch-${id}`;
    const devices = createDeviceCopy(epoch, fail);
    const events = createEventCopy(epoch, [], 0, fail);
    const gathering = emptyGathering();
    const seen: string[] = [];
    const tracked: (ReadonlySet<string> | undefined)[] = [];
    let viewers = 0;
    let activities = 0;
    return {
      id,
      get activities() {
        return activities;
      },
      epoch,
      get viewers() {
        return viewers;
      },
      tokens: seen,
      tracked,
      change(set, del = []) {
        for (const [key, value] of Object.entries(set)) gatherSet(gathering, key, value);
        for (const key of del) gatherDel(gathering, key);
        const gathered = takeGathered(gathering);
        const frame = changeFrame(devices.stream.offset, gathered, id === FLEET ? "fleet" : "devices");
        devices.apply({ set: gathered.whole, del: gathered.del }, frame, clock.monotonic());
      },
      event(event) {
        events.append({ offset: events.stream.offset + 1, event });
      },
      devices: devices.stream,
      view(token) {
        viewers += 1;
        seen.push(token);
        return {
          devices: devices.stream,
          events: events.stream,
          renew: (fresh) => void seen.push(fresh),
          track: (keys) => void tracked.push(keys),
          active() {
            activities += 1;
          },
          release() {
            viewers -= 1;
          },
        };
      },
    };
  }

  const accountOf = (id: string): HeldAccount => {
    const known = accounts.get(id) ?? createAccount(id);
    accounts.set(id, known);
    return known;
  };

  const farm: FakeFarm = {
    written: [],
    rejected: [],
    doubted: [],
    revoke: (token) => void tokens.delete(token),
    account: accountOf,
    fleet: accountOf(FLEET),
    stream: (id) => accountOf(id).devices,
    grant(token, accountId, forMs = 1_800_000, userType = "USER") {
      const account = buildAccount({ id: accountId, userType });
      tokens.set(token, { account, accountId, expiresAt: clock.now() + forMs });
    },
    refuse(kind) {
      refusal = kind;
    },
    holdFleet(until) {
      fleetHeld = until;
    },
    breakViews(error = new Error("the account's lists cannot be read")) {
      viewsBreak = error;
    },
    prover: {
      prove: async (token) => {
        const proven = tokens.get(token);
        return proven ? { ok: true, proven } : { ok: false, failure: { kind: refusal } };
      },
      reject(token) {
        tokens.delete(token);
        farm.rejected.push(token);
        for (const listener of [...listeners]) listener(token);
      },
      onRejected(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      proveAgain: (token) => farm.prover.prove(token),
      doubt(accountId) {
        farm.doubted.push(accountId);
        for (const listener of [...doubters]) listener(accountId);
      },
      onDoubted(listener) {
        doubters.add(listener);
        return () => void doubters.delete(listener);
      },
    },
    owners: {
      view: async (proven, token) => {
        if (viewsBreak) throw viewsBreak;
        return accountOf(proven.accountId).view(token);
      },
      viewAs: async (accountId) => {
        if (viewsBreak) throw new NoAccessError("no session serves the account");
        return accountOf(accountId).view("nobody's");
      },
      ownToken: async (accountId) => {
        if (viewsBreak) throw new NoAccessError("no session serves the account");
        return `own session of ${accountId}`;
      },
      fleet: {
        async view(token) {
          await fleetHeld;
          if (viewsBreak)
            throw new UpstreamUnreachableError("away", "connection", { mayHaveExecuted: false });
          const viewer = accountOf(FLEET).view(token);
          const { devices: stream, renew, active, release } = viewer;
          return { stream, renew, active, release };
        },
        beats: () => Promise.reject(new Error("no beats here")),
      },
      service: () => Promise.reject(new Error("no valve service here")),
      alarms: () => Promise.reject(new Error("no alarms here")),
      settings: () => Promise.reject(new Error("no settings here")),
      written: (accountId, path, named) =>
        void farm.written.push({ accountId, path, ...(named != null && { named }) }),
      stats: () => ({
        accounts: accounts.size,
        viewers: 0,
        pollStretch: 1,
        shards: 256,
        nodes: 1,
        node: "one",
      }),
      close: async () => undefined,
    },
  };
  return farm;
}
