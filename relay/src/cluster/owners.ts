import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import { Beats } from "@mulkko/shared/rest/fleet";
import type { Clock } from "@mulkko/shared/rules/clock";
import Type from "typebox";
import type { AccountState } from "../core/farm-channels.ts";
import { adminWrite } from "../core/touched.ts";
import { FLEET } from "../fleet/fleet-id.ts";
import type { LocalFleet } from "../fleet/local-fleet.ts";
import type { LocalOwners } from "../owner/local-owners.ts";
import type { HeardMessage } from "../owner/owner.ts";
import type { CommandDesk } from "../ports/commands.ts";
import type { FleetDesk } from "../ports/fleet.ts";
import type { Log } from "../ports/log.ts";
import type { Owners, Viewer } from "../ports/owners.ts";
import type { Timers } from "../ports/timers.ts";
import type { ValveUpstream } from "../ports/valves.ts";
import { StaleOwnerError } from "../store/errors.ts";
import { shardOf } from "../store/shard.ts";
import type { AccountStreams, Store } from "../store/store.ts";
import type { Calls } from "./calls.ts";
import { createInterests } from "./interests.ts";
import { Sealed } from "./messages.ts";
import { createRemoteAlarms, createRemoteSettings } from "./remote-alarms.ts";
import { createRemoteDesk } from "./remote-desk.ts";
import type { Seal } from "./seal.ts";
import { createStorelessDesk } from "./storeless-desk.ts";
import type { NodeWatchDesk } from "./watch-desk.ts";

export interface OwnersParts {
  readonly store: Store;
  readonly local: LocalOwners;
  readonly localFleet: LocalFleet;
  readonly calls: Calls;
  readonly seal: Seal;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  /** The way to the farm API with a person's own token. */
  readonly direct: Pick<ValveUpstream, "send">;
  readonly watch: NodeWatchDesk;
}

/** The owners, and what the sources tell them. */
export interface OwnersDesk extends Owners {
  hear(message: HeardMessage): void;
  /** What of an account a write to this path touches comes due at once. */
  touched(accountId: string, path: string): void;
  resume(): Promise<void>;
  readonly watch: NodeWatchDesk;
}

/** ms between two times at which this node says what its viewers look at to owners elsewhere. */
const INTEREST_EVERY_MS = 5_000;
/** ms within which changes of what is looked at are said together. */
const SAY_TOGETHER_MS = 100;
/** ms that an account may take to be read, a takeover of its shard included. */
const LOAD_WITHIN_MS = 15_000;
/** Times that an owner is looked for again, as the shard changed hands in between. */
const TRIES = 3;

const Loaded = Type.Literal(true);

/**
 * The way to every account's owner: to the one here where its shard is this node's, else over the store to the node
 * whose it is (NODE-1, NODE-5). Viewers read this node's copies in both cases, so that a shard may change hands
 * under them.
 */
export function createOwners(parts: OwnersParts): OwnersDesk {
  const { store, local, localFleet, calls, seal, clock, timers, log } = parts;
  const isHere = (accountId: string): boolean => store.shards.owns(shardOf(accountId));
  const interests = createInterests({ clock, timers, onChanged: (accountId) => say(accountId) });
  const fleetOwner: Pick<LocalOwners, "interest"> = {
    interest: (_accountId, from) => localFleet.interest(from),
  };
  const isAtWork = (accountId: string): boolean =>
    accountId === FLEET ? localFleet.atWork : local.atWork(accountId) !== undefined;
  /** Accounts of other nodes' whose change is said with the next message. */
  const unsaid = new Set<string>();
  let soon: { cancel(): void } | undefined;

  const sayElsewhere = (accountId: string): void => {
    const { interest, tokens } = interests.of(accountId);
    const said = {
      node: store.node.id,
      count: interest?.count ?? 0,
      active: interest?.active ?? false,
      tokens: tokens.map(seal.seal),
    };
    const keys = interest?.keys === undefined ? null : [...interest.keys].slice(0, LIVE_LIMITS.trackedKeys);
    store.inbox
      .send(
        accountId,
        accountId === FLEET ? { kind: "fleet-interest", ...said } : { kind: "interest", ...said, keys },
      )
      .catch((error: unknown) => log.debug({ err: error }, "another node was not told who looks"));
  };
  const say = (accountId: string): void => {
    if (isHere(accountId)) {
      const owner = accountId === FLEET ? fleetOwner : local;
      owner.interest(accountId, { node: store.node.id, ...interests.of(accountId) });
      return;
    }
    unsaid.add(accountId);
    soon ??= timers.after(SAY_TOGETHER_MS, () => {
      soon = undefined;
      for (const one of unsaid) isHere(one) ? say(one) : sayElsewhere(one);
      unsaid.clear();
    });
  };
  const sayAgain = (): void => {
    for (const accountId of interests.accounts()) {
      if (!isHere(accountId)) sayElsewhere(accountId);
      // What could not be read when its shard came here is tried again.
      else if (!isAtWork(accountId)) say(accountId);
    }
    saying = timers.after(INTEREST_EVERY_MS, sayAgain);
  };
  let saying = timers.after(INTEREST_EVERY_MS, sayAgain);
  const stop = store.shards.onChange((shard, owned) => {
    if (!owned) return;
    for (const accountId of interests.accounts()) if (shardOf(accountId) === shard) say(accountId);
  });

  /** Does what the owner has to do, also where the shard changes hands meanwhile. */
  const atOwner = async <T>(
    accountId: string,
    here: () => Promise<T>,
    there: () => Promise<T>,
  ): Promise<T> => {
    for (let tries = TRIES; ; tries -= 1) {
      try {
        return await (isHere(accountId) ? here() : there());
      } catch (error) {
        if (!(error instanceof StaleOwnerError) || tries <= 1) throw error;
      }
    }
  };
  /** The account is read, here or elsewhere, and may be asked with the token, where there is one. */
  const ready = (accountId: string, token: string | undefined): Promise<unknown> =>
    atOwner<unknown>(
      accountId,
      () => local.loaded(accountId, token),
      () => {
        const sealed = token === undefined ? {} : { token: seal.seal(token) };
        return calls.ask(accountId, { do: "load", ...sealed }, Loaded, LOAD_WITHIN_MS);
      },
    );
  const viewOf = async (accountId: string, token: string | undefined): Promise<Viewer> => {
    // Somebody here looks at it: it has been read, and its owner may be changing without anybody noticing.
    if (interests.of(accountId).interest === null) await ready(accountId, token);
    const streams: AccountStreams = await store.attach(accountId);
    const viewer = interests.add(accountId, token);
    return {
      devices: streams.devices,
      events: streams.events,
      renew: viewer.renew,
      track: (keys) => viewer.track(keys && new Set([...keys].slice(0, LIVE_LIMITS.trackedKeys))),
      active: viewer.active,
      release() {
        viewer.remove();
        streams.detach();
      },
    };
  };
  const touched = (accountId: string, path: string): void => {
    if (isHere(accountId)) {
      local.touched(accountId, path);
      return;
    }
    store.inbox
      .send(accountId, { kind: "touched", path })
      .catch((error: unknown) => log.debug({ err: error }, "another node was not told of a write"));
  };
  const fleetTouched = (): void => {
    if (isHere(FLEET)) {
      localFleet.touched();
      return;
    }
    store.inbox
      .send(FLEET, { kind: "fleet-touched" })
      .catch((error: unknown) => log.debug({ err: error }, "another node was not told of a write"));
  };
  const fleet: FleetDesk = {
    async view(token) {
      if (interests.of(FLEET).interest === null) {
        await atOwner<unknown>(
          FLEET,
          () => localFleet.loaded(token),
          () => calls.ask(FLEET, { do: "fleet-load", token: seal.seal(token) }, Loaded, LOAD_WITHIN_MS),
        );
      }
      const streams = await store.attach(FLEET);
      const viewer = interests.add(FLEET, token);
      return {
        stream: streams.devices,
        renew: viewer.renew,
        active: viewer.active,
        release() {
          viewer.remove();
          streams.detach();
        },
      };
    },
    beats: (token, ids) =>
      atOwner(
        FLEET,
        () => localFleet.beats(token, ids),
        () => {
          const asked = { token: seal.seal(token), ids: [...ids] };
          return calls.ask(FLEET, { do: "fleet-beats", ...asked }, Beats, LOAD_WITHIN_MS);
        },
      ),
  };

  return {
    view: ({ accountId }, token) => viewOf(accountId, token),
    viewAs: (accountId) => viewOf(accountId, undefined),
    ownToken: (accountId) =>
      atOwner(
        accountId,
        () => local.ownToken(accountId),
        async () => {
          const sealed = await calls.ask(accountId, { do: "own-token" }, Sealed, LOAD_WITHIN_MS);
          const token = seal.open(sealed);
          if (token === null) throw new Error("another node seals with another RELAY_SECRET");
          return token;
        },
      ),
    fleet,
    async desk({ accountId }, token): Promise<CommandDesk> {
      const atWork = local.atWork(accountId);
      if (atWork && (isHere(accountId) || !store.available)) {
        if (token !== undefined) atWork.lend(token);
        return atWork.desk;
      }
      if (!store.available && store.kind === "redis") {
        return createStorelessDesk({ upstream: parts.direct, state: await copyOf(accountId), log });
      }
      if (isHere(accountId)) return (await local.loaded(accountId, token)).desk;
      return createRemoteDesk(accountId, parts);
    },
    async alarms({ accountId }, token) {
      if (!isHere(accountId)) return createRemoteAlarms(accountId, calls);
      return (await local.loaded(accountId, token)).alarms;
    },
    async settings({ accountId }, token) {
      if (!isHere(accountId)) return createRemoteSettings(accountId, calls);
      return (await local.loaded(accountId, token)).settings;
    },
    touched,
    written(accountId, path, named = null) {
      const byAdmin = adminWrite(path);
      if (byAdmin === null) touched(accountId, path);
      else {
        for (const one of new Set([byAdmin.accountId, named])) if (one !== null) touched(one, path);
        fleetTouched();
      }
    },
    stats: () => ({
      accounts: local.accounts,
      viewers: interests.viewers,
      pollStretch: local.stretch,
      shards: store.shards.owned(),
      nodes: store.shards.nodes(),
      node: store.node.id,
    }),
    hear(message) {
      local.hear(message);
      localFleet.hear(message);
    },
    resume: local.resume,
    watch: parts.watch,
    async close() {
      stop();
      saying.cancel();
      soon?.cancel();
      interests.close();
      await store.shards.drain();
      await Promise.all([local.close(), localFleet.close()]);
      calls.close();
    },
  };

  /** This node's copy of an account that somebody here looks at. */
  async function copyOf(accountId: string): Promise<AccountState | null> {
    if (interests.of(accountId).interest === null) return null;
    const streams = await store.attach(accountId);
    const caught = streams.devices.changesSince(undefined);
    streams.detach();
    if (caught.kind !== "snapshot") return null;
    const state = new Map(Object.entries(caught.state));
    return state;
  }
}
