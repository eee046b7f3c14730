import type { Extension } from "@mulkko/shared/rest/capabilities";
import { controllerCommand, controllerList } from "@mulkko/shared/rest/operations/controllers";
import { clusterList } from "@mulkko/shared/rest/operations/farms";
import { notificationList } from "@mulkko/shared/rest/operations/notifications";
import { sensorList } from "@mulkko/shared/rest/operations/sensors";
import type { Timers } from "@mulkko/shared/rules/clock";
import { nodeTimers } from "@mulkko/shared/server/node-timers";
import { buildAccount, buildController, buildLogEntry, buildSensor } from "@mulkko/shared/testing/builders";
import type { ProvenAccount } from "../src/access/token-prover.ts";
import type { Viewer } from "../src/account/viewing.ts";
import type { OwnersService } from "../src/cluster/owners.ts";
import { createRedisStore } from "../src/store/redis/redis-store.ts";
import { SHARDS, shardOf } from "../src/store/shard.ts";
import type { Store } from "../src/store/store.ts";
import { stateOf } from "../src/store/streams.ts";
import { createLinkMonitor } from "../src/upstream/link-monitor.ts";
import type { CommandRequest } from "../src/valves/commands.ts";
import type { ValveService } from "../src/valves/valves.ts";
import { type CapturedLog, createCapturedLog } from "./captured-log.ts";
import { createFakeUpstream, type FakeUpstream } from "./fake-upstream.ts";
import { answerAsFarm, createHarnessOwners, createIdleService } from "./harness-owners.ts";
import { createMovableClock } from "./redis-harness.ts";
import { until } from "./until.ts";

/** One relay node, without transports, on the machine's clock. */
export interface ClusterNode {
  readonly name: string;
  readonly owners: OwnersService;
  readonly store: Store;
  readonly log: CapturedLog;
  readonly commands: CommandRequest[];
  /** Pause as by SIGSTOP: its timers no longer fire, and its writes and messages reach no other node. */
  pause(): void;
  close(): Promise<void>;
}

export const ACCOUNT: ProvenAccount = (() => {
  const account = buildAccount();
  return { account, accountId: String(account.id), expiresAt: Date.now() + 3_600_000 };
})();

const A_MINUTE_MS = 60_000;
const SEOUL_MS = 9 * 3_600_000;

/** Create timers that can be stopped for good. */
function pausable(): Timers & { pause(): void } {
  let paused = false;
  return {
    after: (ms, run) =>
      nodeTimers.after(ms, () => {
        if (!paused) run();
      }),
    pause() {
      paused = true;
    },
  };
}

/** Create an API with one sensor and one controller, for all nodes of a cluster. */
export function createClusterApi(): FakeUpstream {
  const api = createFakeUpstream();
  // An entry a day old would be requested once more before it is offline; one of this second would equal the
  // next reading.
  const createdDate = new Date(Date.now() - A_MINUTE_MS + SEOUL_MS)
    .toISOString()
    .slice(0, 19)
    .replace("T", " ");
  api.answer(sensorList.path, [buildSensor({ latestLog: buildLogEntry({ createdDate }) })]);
  api.answer(clusterList.path, []);
  api.answer(controllerList.path, [buildController()]);
  api.answer(notificationList.path, []);
  api.answer(controllerCommand.path, {});
  answerAsFarm(api);
  return api;
}

export function startClusterNode(
  name: string,
  options: {
    url: string;
    prefix: string;
    api: FakeUpstream;
    secret?: string;
    extensions?: Extension[];
    /** Returns the store that the node uses, made from the real one. */
    speaking?: (store: Store) => Store;
  },
): ClusterNode {
  const { url, prefix, api } = options;
  const clock = createMovableClock();
  const timers = pausable();
  const log = createCapturedLog();
  const onError = (error: unknown): void => log.error({ err: error }, "a part failed");
  const real = createRedisStore({
    url,
    prefix,
    nodeId: name,
    clock,
    timers,
    newEpoch: () => `${name}-${performance.now()}`,
    onError,
    onOutage: (reason) => log.error({ reason }, "Redis unavailable"),
  });
  const store = options.speaking?.(real) ?? real;
  const link = createLinkMonitor({ clock, timers, mqtt: "off", store: "redis", onError });
  link.reachable(true);
  const commands: CommandRequest[] = [];
  const createService = async (): Promise<ValveService> =>
    createIdleService({
      async command(request) {
        commands.push(request);
        const { commandId } = request;
        return { ok: true, record: { commandId, state: "accepted", target: request.target, until: null } };
      },
      commands: async ({ farmId }) => (farmId === "unknown" ? null : []),
    });
  const owners = createHarnessOwners(
    { api, store, link, clock, timers, log, createService },
    {
      extensions: options.extensions ?? ["relay-session"],
      relayKey: "0123456789abcdef",
      secret: options.secret,
      mayPoll: () => store.available,
      onError,
    },
  );
  return {
    name,
    owners,
    store,
    log,
    commands,
    pause: timers.pause,
    async close() {
      await owners.close();
      await store.close();
    },
  };
}

/** Wait until all shards are owned, and each node owns some. */
export async function shareAmong(nodes: readonly ClusterNode[]): Promise<void> {
  await until(
    () =>
      nodes.reduce((sum, { store }) => sum + store.shards.owned(), 0) === SHARDS &&
      nodes.every(({ store }) => store.shards.owned() > SHARDS / nodes.length / 2),
  );
}

export const ownsAccount = ({ store }: ClusterNode): boolean => store.shards.owns(shardOf(ACCOUNT.accountId));

/** Return the state that a viewer would see if it subscribed now. */
export const shown = (viewer: Viewer) => stateOf(viewer.devices);
