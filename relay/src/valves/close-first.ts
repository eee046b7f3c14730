import { randomUUID } from "node:crypto";
import { type Actor, ChannelValue } from "@mulkko/shared/live/devices";
import type { Consequence } from "@mulkko/shared/rest/operations/table";
import { DESPITE_OPEN_VALVE, relayPath } from "@mulkko/shared/rest/routes";
import { LogoutCheck } from "@mulkko/shared/rest/watch";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { channelIdOf } from "@mulkko/shared/rules/device-keys";
import { parse } from "@mulkko/shared/schema/parse";
import type { FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import type { WatchService } from "../access/account-access.ts";
import type { ProvenAccount, TokenProofs } from "../access/token-prover.ts";
import { valveLabel } from "../account/thing-name.ts";
import type { AccountViews, Viewer } from "../account/viewing.ts";
import { actorOf, bearerOf, callerOf, isAdministrator, originOf } from "../http/caller.ts";
import { mayDisableAccount } from "../http/named-in-body.ts";
import { RelayError } from "../http/relay-error.ts";
import { withTimeout } from "../http/with-timeout.ts";
import { type DeviceStream, type StateValue, stateOf } from "../store/streams.ts";
import type { CapabilitySource } from "../upstream/capabilities.ts";
import { NoAccessError } from "../upstream/errors.ts";
import { closeFields, closeOf } from "./close-all.ts";
import type { CommandService, ValveServices } from "./commands.ts";
import { REACH_MS } from "./routes.ts";

/** ms within which a valve must report that it is closed; a plain API needs two reads 3 s apart. */
const CLOSED_WITHIN_MS = 20_000;
const CHECK_EVERY_MS = 500;

/** The fleet as an administrator's call needs it: the account of a device. */
interface FleetOwners {
  readonly fleet: { view(token: string): Promise<{ readonly stream: DeviceStream; release(): void }> };
}

export interface CloseFirstDeps {
  readonly owners: AccountViews & ValveServices & FleetOwners;
  readonly watch: Pick<WatchService, "request">;
  readonly prover: TokenProofs;
  readonly capabilities: Pick<CapabilitySource, "has">;
  readonly clock: Clock;
  readonly timers: Timers;
}

/** A call that removes valves, or the relay's access to them. */
type LastCall =
  | Exclude<Consequence, { kind: "access" }>
  /** The account is deleted, and its devices with it. */
  | { readonly kind: "account" }
  /** The relay can no longer read the account; its valves stay. */
  | { readonly kind: "access" };

/** Account of a call that concerns another account than the caller's. */
type Whose = { readonly of: "caller" } | Named;

/** A thing of the fleet that a path names; several ids where each part of the path may be it. */
interface Named {
  readonly of: "account" | "sensor" | "device";
  readonly ids: readonly string[];
}

interface Affected {
  readonly whose: Whose;
  readonly call: LastCall;
  /** The access may outlive the call: it ends one session of several. */
  readonly onlyIfLast: boolean;
}

/** Return what a call takes away; null for one after which everything can still be closed. */
function affectedBy({ farmCall, bodyHead, url }: FastifyRequest): Affected | null {
  const consequence = farmCall?.consequence ?? null;
  if (consequence === null) return null;
  switch (consequence.kind) {
    case "channel":
    case "device":
    case "named-devices":
      return { whose: { of: "caller" }, call: consequence, onlyIfLast: false };
    case "any-device": {
      const { of, ids } = consequence;
      return { whose: { of: of ?? "device", ids }, call: consequence, onlyIfLast: false };
    }
    case "access": {
      const { accountIds, what } = consequence;
      const query = new URLSearchParams(url.split("?").slice(1).join("?"));
      if (what === "change" && !mayDisableAccount(bodyHead, query)) return null;
      const whose: Whose = accountIds === null ? { of: "caller" } : { of: "account", ids: accountIds };
      const kind = what === "account" ? what : "access";
      return { whose, call: { kind }, onlyIfLast: what === "session" };
    }
  }
}

function channelsIn(state: Readonly<Record<string, StateValue>>): Map<string, ChannelValue> {
  const channels = new Map<string, ChannelValue>();
  for (const [key, value] of Object.entries(state)) {
    const channel = key.startsWith("channel:") ? parse(ChannelValue, value) : null;
    if (channel?.ok) channels.set(key, channel.value);
  }
  return channels;
}

const isClosed = ({ onoff, command }: ChannelValue): boolean => onoff !== 1 && command === null;

/**
 * Return an id as the least careful server compares it: without case, leading zeros and an ending. Two ids
 * that are taken for one close one valve too many, never one too few.
 */
const comparable = (id: string | number | null | undefined): string =>
  `${id ?? ""}`
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\..*$/, "")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .replace(/^0+(?=.)/, "");

const idIn = (value: unknown): string | null =>
  typeof value === "string" || typeof value === "number" ? String(value) : null;

/** Return the devices and channels among ids from a path that the account has. */
function knownAmong(state: Readonly<Record<string, StateValue>>, ids: readonly string[]): Set<string> {
  const named = new Set(ids.map(comparable));
  const known = new Set<string>();
  for (const [key, { controllerId, serial }] of channelsIn(state)) {
    for (const id of [channelIdOf(key), controllerId, serial]) {
      if (named.has(comparable(id))) known.add(comparable(id));
    }
  }
  return known;
}

/** Return the keys of channels that must be closed before a call. */
function openIn(state: Readonly<Record<string, StateValue>>, call: LastCall): Set<string> {
  const known = "ids" in call ? knownAmong(state, call.ids) : new Set<string>();
  const mustClose = (key: string, { controllerId, serial, endsBy, command }: ChannelValue): boolean => {
    switch (call.kind) {
      case "channel":
        return comparable(channelIdOf(key)) === comparable(call.id);
      case "device":
        return comparable(controllerId) === comparable(call.id);
      case "any-device":
      case "named-devices": {
        const isNamed = [channelIdOf(key), controllerId, serial].some((id) => known.has(comparable(id)));
        return isNamed || (call.kind === "named-devices" && known.size === 0);
      }
      case "account":
        return true;
      case "access":
        // The relay does not end openings at the valve or by a mode.
        return endsBy === "relay" || command !== null;
    }
  };
  const open = new Set<string>();
  for (const [key, channel] of channelsIn(state)) {
    if (!isClosed(channel) && mustClose(key, channel)) open.add(key);
  }
  return open;
}

const LOGOUT = { kind: "access" } as const;

function nullWithoutAccess(error: unknown): null {
  if (error instanceof NoAccessError) return null;
  throw error;
}

/** Closes valves before a call that removes the relay's means to close them (CMD-15). */
export interface CloseFirst {
  /**
   * Close valves before a call that deletes a channel, a device or an account, or that ends the relay's access
   * to one. Do nothing for a farm API that ends runs by itself.
   *
   * @throws RelayError 409 `valve-open` if a valve is not reported closed within 20 s
   */
  before(request: FastifyRequest): Promise<void>;
  /** Return the valves that a log-out of the caller closes first. Errors as `callerOf`. */
  atLogout(request: FastifyRequest): Promise<LogoutCheck>;
}

/**
 * Return the account that a call of an administrator concerns: the owner of a device, null if the fleet does not know
 * the device; or the named account, by the id under which the fleet knows it.
 */
async function accountInFleet(
  { fleet }: FleetOwners,
  token: string,
  { of, ids }: Named,
): Promise<string | null> {
  const viewer = await fleet.view(token);
  try {
    const rows = Object.entries(stateOf(viewer.stream)).flatMap(([key, row]) => {
      const isDevice = key.startsWith("device:") && (of === "device" || row.kind === of);
      const id = idIn(of === "account" ? row.account : isDevice ? row.id : null);
      return id === null ? [] : [{ id, account: idIn(row.account) }];
    });
    const isSame = ({ id }: { id: string }): boolean => ids.includes(id);
    const alike = new Set(ids.map(comparable));
    const looksAlike = ({ id }: { id: string }): boolean => alike.has(comparable(id));
    // Ids that only look alike are of different things: the same spelling goes first.
    const found = rows.find(isSame) ?? rows.find(looksAlike);
    return found?.account ?? (of === "account" ? (ids.at(-1) ?? null) : null);
  } finally {
    viewer.release();
  }
}

const openValve = (): RelayError =>
  new RelayError(409, "valve-open", "a valve was not reported closed; the request was not executed");

export function createCloseFirst(deps: CloseFirstDeps): CloseFirst {
  const { owners, watch, prover, capabilities, clock, timers } = deps;
  const pause = (ms: number) => new Promise<void>((resolve) => timers.after(ms, resolve));

  const closeAll = async (
    request: FastifyRequest,
    { viewer, service, token, by }: { viewer: Viewer; service: CommandService; token: string; by: Actor },
    call: LastCall,
  ): Promise<void> => {
    const state = stateOf(viewer.devices);
    const open = openIn(state, call);
    if (open.size === 0) return;
    const job = {
      jobId: randomUUID(),
      farmId: null,
      by,
      token,
      origin: originOf(request),
      traceId: request.id,
    };
    const account = { get: (key: string) => state[key], keys: () => Object.keys(state) };
    await Promise.all([...open].map((key) => service.command(closeOf(job, key, account))));
    const until = clock.monotonic() + CLOSED_WITHIN_MS;
    const stillOpen = (): boolean =>
      [...channelsIn(stateOf(viewer.devices, open)).values()].some((channel) => !isClosed(channel));
    while (stillOpen()) {
      if (clock.monotonic() >= until) throw openValve();
      await pause(CHECK_EVERY_MS);
    }
  };

  /** True if the relay cannot close the account's valves after the end of this session. */
  const isLastSession = async (accountId: string): Promise<boolean> =>
    !capabilities.has("timed-run") && (await watch.request(accountId, "state")).by === "nobody";

  /** Close another account's valves with that account's own session; without one an open valve is refused. */
  const closeForAdministrator = async (
    request: FastifyRequest,
    proven: ProvenAccount,
    accountId: string,
    call: LastCall,
  ): Promise<void> => {
    const viewer = await owners.viewAs(accountId).catch(nullWithoutAccess);
    // The relay has never read this account: it knows nothing of its valves.
    if (viewer === null) return;
    try {
      if (openIn(stateOf(viewer.devices), call).size === 0) return;
      const own = await owners.ownToken(accountId).catch(nullWithoutAccess);
      if (own === null) throw openValve();
      const service = await owners.service({ accountId }, own);
      await closeAll(request, { viewer, service, token: own, by: actorOf(proven) }, call);
    } finally {
      viewer.release();
    }
  };

  /** Return the account that an administrator's call concerns; null if it is unknown or not theirs to change. */
  const accountOf = async (whose: Whose, proven: ProvenAccount, token: string): Promise<string | null> => {
    if (whose.of === "caller") return proven.accountId;
    if (!isAdministrator(proven)) return null;
    return accountInFleet(owners, token, whose);
  };

  return {
    async before(request) {
      const token = bearerOf(request.headers.authorization);
      const affected = affectedBy(request);
      if (affected === null || token === undefined || capabilities.has("timed-run")) return;
      if (request.headers[DESPITE_OPEN_VALVE] !== undefined) return;
      const proof = await prover.prove(token);
      // The farm API itself answers to an invalid token.
      if (!proof.ok) return;
      const { proven } = proof;
      const { whose, call, onlyIfLast } = affected;
      const accountId = await accountOf(whose, proven, token);
      if (accountId === null) return;
      if (accountId !== proven.accountId) return closeForAdministrator(request, proven, accountId, call);
      if (onlyIfLast && !(await isLastSession(accountId))) return;
      const viewer = await owners.view(proven, token);
      try {
        const service = await owners.service(proven, token);
        await closeAll(request, { viewer, service, token, by: actorOf(proven) }, call);
      } finally {
        viewer.release();
      }
    },
    async atLogout(request) {
      const { account, token } = await callerOf(request, prover);
      if (!(await isLastSession(account.accountId))) return { closesFirst: [] };
      const viewer = await owners.view(account, token);
      try {
        const state = stateOf(viewer.devices);
        const names = { get: (key: string) => state[key] };
        const closesFirst = [...openIn(state, LOGOUT)].map((key) => {
          const { valveName = null, number } = valveLabel(names, key);
          const { controllerId, form } = closeFields(key, names);
          return { channelId: channelIdOf(key), name: valveName, number: number ?? null, controllerId, form };
        });
        return { closesFirst };
      } finally {
        viewer.release();
      }
    },
  };
}

/** `GET /relay/logout` (CMD-15): 401 without a valid token, 503 if the account cannot be read. */
export const logoutCheckRoute = fp<{ closeFirst: Pick<CloseFirst, "atLogout">; timers: Timers }>(
  async (app, { closeFirst, timers }) => {
    app.get(relayPath.logout, { schema: { response: { 200: LogoutCheck } } }, async (request, reply) => {
      reply.header("cache-control", "no-store");
      return withTimeout(timers, REACH_MS, closeFirst.atLogout(request));
    });
  },
  { name: "logout-check", fastify: "5.x", dependencies: ["errors"] },
);
