import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import { administeredBy } from "@mulkko/shared/rest/operations/table";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { repeat } from "@mulkko/shared/server/node-timers";
import type { WatchService } from "../access/account-access.ts";
import { encryptSession, type SessionPair } from "../access/vault.ts";
import type { AccountValues } from "../account/farm-index.ts";
import type { ReceivedMessage } from "../account/mqtt.ts";
import type { AccountViews, Viewer } from "../account/viewing.ts";
import { ALARM_CALLS } from "../alarms/alarm-calls.ts";
import type { AlarmServices } from "../alarms/alarm-service.ts";
import type { FleetService } from "../fleet/fleet-service.ts";
import type { LocalFleet } from "../fleet/local-fleet.ts";
import type { RelayStats } from "../http/metrics.ts";
import { SETTINGS_CALLS } from "../settings/settings-calls.ts";
import type { SettingsServices } from "../settings/settings-service.ts";
import { StaleOwnerError } from "../store/errors.ts";
import { FLEET, shardOf } from "../store/shard.ts";
import type { AccountStreams, Store } from "../store/store.ts";
import { stateOf } from "../store/streams.ts";
import { type CommandService, VALVE_CALLS, type ValveServices } from "../valves/commands.ts";
import { createInterests } from "./interests.ts";
import type { LocalOwners } from "./local-owners.ts";
import { ACCOUNT_CALLS, FLEET_CALLS } from "./messages.ts";
import type { Peers } from "./peers.ts";

export interface OwnersDeps {
  readonly store: Store;
  readonly local: LocalOwners;
  readonly localFleet: LocalFleet;
  readonly peers: Peers & { close(): void };
  /** Create the valve service of an account without the store, from this node's copy of the account. */
  readonly storeless: (state: AccountValues | null) => CommandService;
  readonly clock: Clock;
  readonly timers: Timers;
}

/** Access to an account's owner on any node (NODE-5). */
export interface Owners extends AccountViews, ValveServices, AlarmServices, SettingsServices {
  readonly fleet: FleetService;
  stats(): RelayStats;
  close(): Promise<void>;
}

/** The owners, with the reports of the sources to them. */
export interface OwnersService extends Owners {
  receive(message: ReceivedMessage): void;
  /** Make due at once what a write to this path changes in the account. */
  changed(accountId: string, path: string): void;
  resume(): Promise<void>;
  readonly watch: WatchService & {
    /**
     * Have the account's owner read the account, and watch it from then on where it has a session of it
     * (WATCH-1). Rejects with an `UpstreamError` if it cannot be read.
     */
    begin(accountId: string): Promise<unknown>;
    /** Pass the relay's new session to the account's owner, which alone stores and refreshes it (CRED-1 b). */
    signedIn(accountId: string, pair: SessionPair): Promise<void>;
  };
}

/** ms between two reports of this node's interests to owners elsewhere. */
const INTEREST_EVERY_MS = 5_000;
/** ms within which changes of interests are reported together. */
const REPORT_TOGETHER_MS = 100;
/** Attempts to find an owner while the shard changes hands. */
const TRIES = 3;

/**
 * Create the access to every account's owner: on this node if it owns the shard, else over the store on the
 * node that does (NODE-1, NODE-5). Viewers read this node's copies in both cases, so that a shard may change
 * hands under them.
 */
export function createOwners(deps: OwnersDeps): OwnersService {
  const { store, local, localFleet, peers, clock, timers } = deps;
  const { isHere } = peers;
  const interests = createInterests({ clock, timers, onChanged: (accountId) => say(accountId) });
  const isAtWork = (accountId: string): boolean =>
    accountId === FLEET ? localFleet.atWork : local.active(accountId) !== undefined;
  /** Accounts of other nodes whose change is reported with the next message. */
  const unreported = new Set<string>();
  let soon: { cancel(): void } | undefined;

  const sayElsewhere = (accountId: string): void => {
    const { interest, tokens } = interests.of(accountId);
    const said = {
      node: store.node.id,
      count: interest?.count ?? 0,
      active: interest?.active ?? false,
      tokens: tokens.map(peers.encrypt),
    };
    const keys = interest?.keys === undefined ? null : [...interest.keys].slice(0, LIVE_LIMITS.trackedKeys);
    peers.tell(
      accountId,
      accountId === FLEET ? { kind: "fleet-interest", ...said } : { kind: "interest", ...said, keys },
    );
  };
  const say = (accountId: string): void => {
    if (isHere(accountId)) {
      const from = { node: store.node.id, ...interests.of(accountId) };
      if (accountId === FLEET) localFleet.interest(from);
      else local.interest(accountId, from);
      return;
    }
    unreported.add(accountId);
    soon ??= timers.after(REPORT_TOGETHER_MS, () => {
      soon = undefined;
      for (const one of unreported) isHere(one) ? say(one) : sayElsewhere(one);
      unreported.clear();
    });
  };
  const saying = repeat(timers, INTEREST_EVERY_MS, () => {
    for (const accountId of interests.accounts()) {
      if (!isHere(accountId)) sayElsewhere(accountId);
      // An account that could not be read when its shard arrived is tried again.
      else if (!isAtWork(accountId)) say(accountId);
    }
  });
  const stop = store.shards.onChange((shard, owned) => {
    if (!owned) return;
    for (const accountId of interests.accounts()) if (shardOf(accountId) === shard) say(accountId);
  });

  /** Call the owner, also while the shard changes hands. */
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
  /**
   * Ensure that the account is read, here or elsewhere, and may be requested with the token if there is one.
   */
  const ready = (accountId: string, token: string | undefined): Promise<unknown> =>
    atOwner<unknown>(
      accountId,
      () => local.loaded(accountId, token),
      () => peers.methods(ACCOUNT_CALLS, accountId).load(token === undefined ? {} : { token }),
    );
  const viewOf = async (accountId: string, token: string | undefined): Promise<Viewer> => {
    // With a viewer here the account has been read, and its owner may change unnoticed.
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
  const changed = (accountId: string, path: string): void => {
    if (isHere(accountId)) local.changed(accountId, path);
    else peers.tell(accountId, { kind: "touched", path });
  };
  const fleetChanged = (): void => {
    if (isHere(FLEET)) localFleet.noteWrite();
    else peers.tell(FLEET, { kind: "fleet-touched" });
  };
  const fleet: FleetService = {
    async view(token) {
      if (interests.of(FLEET).interest === null) {
        await atOwner<unknown>(
          FLEET,
          () => localFleet.loaded(token),
          () => peers.methods(FLEET_CALLS, FLEET).load({ token }),
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
        () => peers.methods(FLEET_CALLS, FLEET).beats({ token, ids: [...ids] }),
      ),
  };

  return {
    view: ({ accountId }, token) => viewOf(accountId, token),
    viewAs: (accountId) => viewOf(accountId, undefined),
    ownToken: (accountId) =>
      atOwner(
        accountId,
        () => local.ownToken(accountId),
        () => peers.methods(ACCOUNT_CALLS, accountId).ownToken(),
      ),
    fleet,
    async service({ accountId }, token): Promise<CommandService> {
      const atWork = local.active(accountId);
      if (atWork && (isHere(accountId) || !store.available)) {
        if (token !== undefined) atWork.lend(token);
        return atWork.service;
      }
      if (!store.available && store.kind === "redis") {
        return deps.storeless(await copyOf(accountId));
      }
      if (isHere(accountId)) return (await local.loaded(accountId, token)).service;
      return peers.methods(VALVE_CALLS, accountId);
    },
    async alarms({ accountId }, token) {
      if (!isHere(accountId)) return peers.methods(ALARM_CALLS, accountId);
      return (await local.loaded(accountId, token)).alarms;
    },
    async settings({ accountId }, token) {
      if (!isHere(accountId)) return peers.methods(SETTINGS_CALLS, accountId);
      return (await local.loaded(accountId, token)).settings;
    },
    changed,
    written(accountId, path, named = null) {
      const byAdmin = administeredBy(path);
      if (byAdmin === null) changed(accountId, path);
      else {
        for (const one of new Set([byAdmin.accountId, named])) if (one !== null) changed(one, path);
        fleetChanged();
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
    receive(message) {
      local.receive(message);
      localFleet.handleMessage(message);
    },
    resume: () => local.resume(),
    watch: {
      async request(accountId, action) {
        if (isHere(accountId)) return local.watch(accountId, action);
        return peers.methods(ACCOUNT_CALLS, accountId).watch({ wish: action });
      },
      begin: (accountId) => ready(accountId, undefined),
      async signedIn(accountId, pair) {
        if (isHere(accountId)) return local.signedIn(accountId, pair);
        await peers.methods(ACCOUNT_CALLS, accountId).signedIn({ session: encryptSession(peers, pair) });
      },
    },
    async close() {
      stop();
      saying.cancel();
      soon?.cancel();
      interests.close();
      await store.shards.drain();
      await Promise.all([local.close(), localFleet.close()]);
      peers.close();
    },
  };

  /** Return this node's copy of an account with a viewer here. */
  async function copyOf(accountId: string): Promise<AccountValues | null> {
    if (interests.of(accountId).interest === null) return null;
    const streams = await store.attach(accountId);
    const state = stateOf(streams.devices);
    streams.detach();
    return new Map(Object.entries(state));
  }
}
