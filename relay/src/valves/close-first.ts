import { randomUUID } from "node:crypto";
import { type Actor, ChannelValue } from "@mulkko/shared/live/devices";
import { fleetDeviceKey } from "@mulkko/shared/live/fleet-keys";
import { accountLogout } from "@mulkko/shared/rest/operations/account";
import { adminSensorDelete } from "@mulkko/shared/rest/operations/admin";
import { channelDelete, controllerRead } from "@mulkko/shared/rest/operations/controllers";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { sensorDelete } from "@mulkko/shared/rest/operations/sensors";
import { DESPITE_OPEN_VALVE, relayPath } from "@mulkko/shared/rest/routes";
import { LogoutCheck } from "@mulkko/shared/rest/watch";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { channelIdOf } from "@mulkko/shared/rules/device-keys";
import { parse } from "@mulkko/shared/schema/parse";
import type { FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { valveLabel } from "../account/thing-name.ts";
import type { AccountViews, Viewer } from "../account/viewing.ts";
import { actorOf, bearerOf, callerOf, isAdministrator, originOf } from "../http/caller.ts";
import { pathOf } from "../http/logging.ts";
import { RelayError } from "../http/relay-error.ts";
import { withTimeout } from "../http/with-timeout.ts";
import { type DeviceStream, type StateValue, stateOf } from "../store/streams.ts";
import type { WatchService } from "../upstream/account-sessions.ts";
import type { CapabilitySource } from "../upstream/capabilities.ts";
import { NoAccessError } from "../upstream/errors.ts";
import type { ProvenAccount, TokenProver } from "../upstream/tokens.ts";
import { closeOf } from "./close-all.ts";
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
  readonly prover: Pick<TokenProver, "prove" | "proveAgain">;
  readonly capabilities: Pick<CapabilitySource, "has">;
  readonly clock: Clock;
  readonly timers: Timers;
}

/** A call after which the relay can no longer close a valve. */
type LastCall =
  | { readonly of: "channel"; readonly id: string }
  /** A controller, or a COT sensor with its channels. */
  | { readonly of: "device"; readonly id: string }
  /** Any account's COT sensor, deleted by an administrator. */
  | { readonly of: "any-sensor"; readonly id: string }
  | { readonly of: "logout" };

const idBehind = (path: string, prefix: string): string | null => {
  const id = path.startsWith(prefix) ? path.slice(prefix.length).replace(/\/$/, "") : "";
  return id === "" || id.includes("/") ? null : decodeURIComponent(id);
};

/** Return what a call deletes or ends; null for every other call. */
export function lastCallOf(method: string, path: string): LastCall | null {
  if (path === accountLogout.path) return { of: "logout" };
  if (method !== "DELETE") return null;
  const channel = idBehind(path, pathTo(channelDelete, { channelId: "" }));
  if (channel !== null) return { of: "channel", id: channel };
  const any = idBehind(path, pathTo(adminSensorDelete, { id: "" }));
  if (any !== null) return { of: "any-sensor", id: any };
  const device =
    idBehind(path, pathTo(controllerRead, { id: "" })) ?? idBehind(path, pathTo(sensorDelete, { id: "" }));
  return device === null ? null : { of: "device", id: device };
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

/** True for a channel that a call affects while water may run through it. */
function mustClose(call: LastCall, key: string, channel: ChannelValue): boolean {
  if (isClosed(channel)) return false;
  switch (call.of) {
    case "channel":
      return key === `channel:${call.id}`;
    case "device":
    case "any-sensor":
      return String(channel.controllerId) === call.id;
    case "logout":
      // The relay does not end openings at the valve or by a mode.
      return channel.endsBy === "relay" || channel.command !== null;
  }
}

/** Return the keys of channels that must be closed before a call. */
function openIn(state: Readonly<Record<string, StateValue>>, call: LastCall): Set<string> {
  const open = new Set<string>();
  for (const [key, channel] of channelsIn(state)) if (mustClose(call, key, channel)) open.add(key);
  return open;
}

const LOGOUT = { of: "logout" } as const;

function nullWithoutAccess(error: unknown): null {
  if (error instanceof NoAccessError) return null;
  throw error;
}

/** Closes valves before a call that removes the relay's means to close them (CMD-15). */
export interface CloseFirst {
  /**
   * Close valves before the deletion of a channel, its controller or its COT sensor, and before the log-out
   * of an account without a session of the relay's own. Do nothing for a farm API that ends runs by itself.
   *
   * @throws RelayError 409 `valve-open` if a valve is not reported closed within 20 s
   */
  before(request: FastifyRequest): Promise<void>;
  /** Return the valves that a log-out of the caller closes first. Errors as `callerOf`. */
  atLogout(request: FastifyRequest): Promise<LogoutCheck>;
}

/** Return the account of a sensor as the fleet knows it; null if the fleet does not know it. */
async function accountOfSensor({ fleet }: FleetOwners, token: string, id: string): Promise<string | null> {
  const key = fleetDeviceKey("sensor", id);
  const viewer = await fleet.view(token);
  try {
    const account = stateOf(viewer.stream, new Set([key]))[key]?.account;
    return typeof account === "string" || typeof account === "number" ? String(account) : null;
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

  /** Close another account's valve with that account's own session; without one an open valve is refused. */
  const closeForAdministrator = async (
    request: FastifyRequest,
    proven: ProvenAccount,
    token: string,
    call: LastCall & { of: "any-sensor" },
  ): Promise<void> => {
    const accountId = isAdministrator(proven) ? await accountOfSensor(owners, token, call.id) : null;
    if (accountId === null) return;
    const viewer = await owners.viewAs(accountId).catch(nullWithoutAccess);
    // The relay has never read this account: it knows nothing of the valve.
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

  return {
    async before(request) {
      const token = bearerOf(request.headers.authorization);
      const call = lastCallOf(request.method, pathOf(request.url));
      if (call === null || token === undefined || capabilities.has("timed-run")) return;
      if (request.headers[DESPITE_OPEN_VALVE] !== undefined) return;
      const proof = await prover.prove(token);
      // The farm API itself answers to an invalid token.
      if (!proof.ok) return;
      const { proven } = proof;
      if (call.of === "any-sensor") return closeForAdministrator(request, proven, token, call);
      if (call.of === "logout" && !(await isLastSession(proven.accountId))) return;
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
          return { channelId: channelIdOf(key), name: valveName, number: number ?? null };
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
