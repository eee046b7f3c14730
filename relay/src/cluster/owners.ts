import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import { ActivityHistory } from "@mulkko/shared/rest/fleet";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import Type from "typebox";
import type { AccountValues } from "../account/farm-index.ts";
import type { ReceivedMessage } from "../account/mqtt.ts";
import type { AccountViews, Viewer } from "../account/viewing.ts";
import type { AlarmServices } from "../alarms/alarm-service.ts";
import type { FleetService } from "../fleet/fleet-service.ts";
import type { LocalFleet } from "../fleet/local-fleet.ts";
import type { RelayStats } from "../http/metrics.ts";
import type { Log } from "../runtime/log.ts";
import type { SettingsServices } from "../settings/settings-service.ts";
import { StaleOwnerError } from "../store/errors.ts";
import { FLEET, shardOf } from "../store/shard.ts";
import type { AccountStreams, Store } from "../store/store.ts";
import type { ValveUpstream } from "../upstream/outgoing-command.ts";
import type { TokenCipher } from "../upstream/token-cipher.ts";
import { adminWrite } from "../upstream/write-effects.ts";
import type { CommandService, ValveServices } from "../valves/commands.ts";
import type { Calls } from "./calls.ts";
import { createInterests } from "./interests.ts";
import type { LocalOwners } from "./local-owners.ts";
import { Encrypted } from "./messages.ts";
import { createRemoteAlarms, createRemoteSettings } from "./remote-alarms.ts";
import { createRemoteService } from "./remote-service.ts";
import { createStorelessService } from "./storeless-service.ts";
import type { NodeWatchService } from "./watch-service.ts";

export interface OwnersDeps {
  readonly store: Store;
  readonly local: LocalOwners;
  readonly localFleet: LocalFleet;
  readonly calls: Calls;
  readonly cipher: TokenCipher;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  /** Sends to the farm API with a person's own token. */
  readonly direct: Pick<ValveUpstream, "send">;
  readonly watch: NodeWatchService;
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
  readonly watch: NodeWatchService;
}

/** ms between two reports of this node's interests to owners elsewhere. */
const INTEREST_EVERY_MS = 5_000;
/** ms within which changes of interests are reported together. */
const REPORT_TOGETHER_MS = 100;
/** ms that the read of an account may take, including a takeover of its shard. */
const LOAD_WITHIN_MS = 15_000;
/** Attempts to find an owner while the shard changes hands. */
const TRIES = 3;

const Loaded = Type.Literal(true);

/**
 * Create the access to every account's owner: on this node if it owns the shard, else over the store on the
 * node that does (NODE-1, NODE-5). Viewers read this node's copies in both cases, so that a shard may change
 * hands under them.
 */
export function createOwners(deps: OwnersDeps): OwnersService {
  const { store, local, localFleet, calls, cipher, clock, timers, log } = deps;
  const isHere = (accountId: string): boolean => store.shards.owns(shardOf(accountId));
  const interests = createInterests({ clock, timers, onChanged: (accountId) => say(accountId) });
  const fleetOwner: Pick<LocalOwners, "interest"> = {
    interest: (_accountId, from) => localFleet.interest(from),
  };
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
      tokens: tokens.map(cipher.encrypt),
    };
    const keys = interest?.keys === undefined ? null : [...interest.keys].slice(0, LIVE_LIMITS.trackedKeys);
    store.inbox
      .send(
        accountId,
        accountId === FLEET ? { kind: "fleet-interest", ...said } : { kind: "interest", ...said, keys },
      )
      .catch((error: unknown) =>
        log.debug(
          { event: "node-interest-not-sent", err: error },
          "cannot send viewer interest to another node",
        ),
      );
  };
  const say = (accountId: string): void => {
    if (isHere(accountId)) {
      const owner = accountId === FLEET ? fleetOwner : local;
      owner.interest(accountId, { node: store.node.id, ...interests.of(accountId) });
      return;
    }
    unreported.add(accountId);
    soon ??= timers.after(REPORT_TOGETHER_MS, () => {
      soon = undefined;
      for (const one of unreported) isHere(one) ? say(one) : sayElsewhere(one);
      unreported.clear();
    });
  };
  const sayAgain = (): void => {
    for (const accountId of interests.accounts()) {
      if (!isHere(accountId)) sayElsewhere(accountId);
      // An account that could not be read when its shard arrived is tried again.
      else if (!isAtWork(accountId)) say(accountId);
    }
    saying = timers.after(INTEREST_EVERY_MS, sayAgain);
  };
  let saying = timers.after(INTEREST_EVERY_MS, sayAgain);
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
      () => {
        const encrypted = token === undefined ? {} : { token: cipher.encrypt(token) };
        return calls.ask(accountId, { do: "load", ...encrypted }, Loaded, LOAD_WITHIN_MS);
      },
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
    if (isHere(accountId)) {
      local.changed(accountId, path);
      return;
    }
    store.inbox
      .send(accountId, { kind: "touched", path })
      .catch((error: unknown) =>
        log.debug(
          { event: "node-write-not-sent", err: error },
          "cannot send write notification to another node",
        ),
      );
  };
  const fleetChanged = (): void => {
    if (isHere(FLEET)) {
      localFleet.noteWrite();
      return;
    }
    store.inbox
      .send(FLEET, { kind: "fleet-touched" })
      .catch((error: unknown) =>
        log.debug(
          { event: "node-write-not-sent", err: error },
          "cannot send write notification to another node",
        ),
      );
  };
  const fleet: FleetService = {
    async view(token) {
      if (interests.of(FLEET).interest === null) {
        await atOwner<unknown>(
          FLEET,
          () => localFleet.loaded(token),
          () => calls.ask(FLEET, { do: "fleet-load", token: cipher.encrypt(token) }, Loaded, LOAD_WITHIN_MS),
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
          const asked = { token: cipher.encrypt(token), ids: [...ids] };
          return calls.ask(FLEET, { do: "fleet-beats", ...asked }, ActivityHistory, LOAD_WITHIN_MS);
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
          const encrypted = await calls.ask(accountId, { do: "own-token" }, Encrypted, LOAD_WITHIN_MS);
          const token = cipher.open(encrypted);
          if (token === null) throw new Error("another node encrypts with another RELAY_SECRET");
          return token;
        },
      ),
    fleet,
    async service({ accountId }, token): Promise<CommandService> {
      const atWork = local.active(accountId);
      if (atWork && (isHere(accountId) || !store.available)) {
        if (token !== undefined) atWork.lend(token);
        return atWork.service;
      }
      if (!store.available && store.kind === "redis") {
        return createStorelessService({ upstream: deps.direct, state: await copyOf(accountId), log });
      }
      if (isHere(accountId)) return (await local.loaded(accountId, token)).service;
      return createRemoteService(accountId, deps);
    },
    async alarms({ accountId }, token) {
      if (!isHere(accountId)) return createRemoteAlarms(accountId, calls);
      return (await local.loaded(accountId, token)).alarms;
    },
    async settings({ accountId }, token) {
      if (!isHere(accountId)) return createRemoteSettings(accountId, calls);
      return (await local.loaded(accountId, token)).settings;
    },
    changed,
    written(accountId, path, named = null) {
      const byAdmin = adminWrite(path);
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
    resume: local.resume,
    watch: deps.watch,
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

  /** Return this node's copy of an account with a viewer here. */
  async function copyOf(accountId: string): Promise<AccountValues | null> {
    if (interests.of(accountId).interest === null) return null;
    const streams = await store.attach(accountId);
    const caught = streams.devices.changesSince(undefined);
    streams.detach();
    if (caught.kind !== "snapshot") return null;
    const state = new Map(Object.entries(caught.state));
    return state;
  }
}
