import { join } from "node:path";
import { CommandBody } from "@mulkko/shared/rest/command";
import { accountInfo } from "@mulkko/shared/rest/operations/account";
import {
  channelMoisture,
  channelState,
  controllerCommand,
  controllerList,
} from "@mulkko/shared/rest/operations/controllers";
import { clusterList } from "@mulkko/shared/rest/operations/farms";
import { notificationList } from "@mulkko/shared/rest/operations/notifications";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { sensorList } from "@mulkko/shared/rest/operations/sensors";
import { parse } from "@mulkko/shared/schema/parse";
import { nodeTimers } from "@mulkko/shared/server/node-timers";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import type { ProvenAccount } from "../../src/access/token-prover.ts";
import type { OwnersService } from "../../src/cluster/owners.ts";
import { createDisplays, type Displays } from "../../src/displays/displays.ts";
import type { Store } from "../../src/store/store.ts";
import { UpstreamStatusError } from "../../src/upstream/errors.ts";
import { createLinkMonitor } from "../../src/upstream/link-monitor.ts";
import { OwnedValves } from "../../src/valves/valve-service.ts";
import { createCapturedLog } from "../captured-log.ts";
import { createFakeSchedule } from "../fake-schedule.ts";
import { createFakeUpstream, type FakeUpstream } from "../fake-upstream.ts";
import { answerAsFarm, createHarnessOwners } from "../harness-owners.ts";
import { createMovableClock, newPrefix, shareShards, startNode } from "../redis-harness.ts";
import { createTestStore } from "../test-store.ts";
import { until } from "../until.ts";
import {
  type RecordedRelay,
  readRecordedRelay,
  type StoreKind,
  writeRedisCopy,
  writeSqliteCopy,
} from "./store-copies.ts";

/** Today's relay without its transports, on the copy of an earlier relay's store. */
export interface TakenRelay {
  readonly recorded: RecordedRelay;
  readonly proven: ProvenAccount;
  readonly store: Store;
  readonly owners: OwnersService;
  readonly displays: Displays;
  /** The commands that reached the farm API, with their store time. */
  readonly commands: { readonly body: CommandBody; readonly at: number }[];
  /** Let time pass until a condition is true: the fake clock's where the store is embedded, else real time. */
  until(isSo: () => boolean): Promise<void>;
  close(): Promise<void>;
}

/** The longest time that a test lets pass on the fake clock, ms. */
const MOST_MS = 24 * 3_600_000;
const STEP_MS = 1_000;

/** Answer as the recorded farm; its valves obey. */
function answerAsRecorded(
  api: FakeUpstream,
  { farm }: RecordedRelay,
  onCommand: (body: CommandBody) => void,
): void {
  answerAsFarm(api);
  api.answer(accountInfo.path, farm.account);
  api.answer(clusterList.path, farm.farms);
  api.answer(sensorList.path, farm.sensors);
  api.answer(controllerList.path, farm.controllers);
  api.answer(notificationList.path, farm.notifications);
  const states = new Map(Object.entries(farm.states));
  for (const { serial, channels } of farm.controllers) {
    for (const channel of channels ?? []) {
      const name = `${serial}/${channel.id}`;
      api.answer(pathTo(channelState, { serial: serial ?? "", channelId: channel.id }), () =>
        states.get(name),
      );
      api.answer(
        pathTo(channelMoisture, { channelId: channel.id }),
        farm.moistures[String(channel.id)] ?? null,
      );
    }
  }
  api.answer(controllerCommand.path, ({ json }: { json?: unknown }) => {
    const body = parse(CommandBody, json);
    if (!body.ok) return new UpstreamStatusError(body.message, 400, "validation", null);
    const { uuid, channel, payload } = body.value;
    const controller = farm.controllers.find(({ id }) => String(id) === String(uuid));
    const place = controller?.channels?.find(({ channelNumber }) => channelNumber === Number(channel));
    const name = `${controller?.serial}/${place?.id}`;
    states.set(name, { ...states.get(name), onoff: payload });
    onCommand(body.value);
    return null;
  });
}

/**
 * Open today's relay on the copy.
 * @param at store time, ms UTC
 */
export async function openTakenRelay(
  kind: StoreKind,
  { folder, redisUrl, at }: { folder: string; redisUrl: string; at: number },
): Promise<TakenRelay> {
  const recorded = readRecordedRelay(kind);
  const log = createCapturedLog();
  const onError = (error: unknown): void => log.error({ err: error }, "a part failed");
  const opened = kind === "embedded" ? openEmbedded(folder, at, onError) : await openRedis(redisUrl, at);
  const { store, clock, timers } = opened;
  const link = createLinkMonitor({ clock, timers, mqtt: "off", store: kind, onError });
  link.reachable(true);
  const commands: TakenRelay["commands"][number][] = [];
  const api = createFakeUpstream();
  answerAsRecorded(api, recorded, (body) => commands.push({ body, at: store.now() }));
  const owners = createHarnessOwners(
    { api, store, link, clock, timers, log, createService: OwnedValves.load },
    {
      extensions: ["relay-session", "timed-run"],
      relayKey: "0123456789abcdef",
      secret: recorded.relaySecret,
      onError,
    },
  );
  const displays = createDisplays({
    store,
    owners,
    client: api,
    clock,
    timers,
    schedule: createFakeSchedule(),
    log,
  });
  const { account } = recorded.farm;
  return {
    recorded,
    proven: { account, accountId: String(account.id), expiresAt: clock.now() + MOST_MS },
    store,
    owners,
    displays,
    commands,
    until: opened.until,
    async close() {
      displays.close();
      await owners.close();
      link.close();
      await store.close();
    },
  };
}

function openEmbedded(folder: string, at: number, onError: (error: unknown) => void) {
  const file = join(folder, "relay.sqlite");
  writeSqliteCopy(file);
  const clock = createFakeClock(at);
  const timers = createFakeTimers(clock);
  const store = createTestStore({ clock, timers, file, epoch: "today", onError });
  const passUntil = async (isSo: () => boolean): Promise<void> => {
    for (let ms = 0; ms < MOST_MS && !isSo(); ms += STEP_MS) await timers.pass(STEP_MS);
    if (!isSo()) throw new Error("it did not become so in a day");
  };
  return { store, clock, timers, until: passUntil };
}

async function openRedis(url: string, at: number) {
  const prefix = newPrefix();
  await writeRedisCopy(url, prefix);
  const clock = createMovableClock(at - Date.now());
  const node = startNode(url, prefix, clock);
  await node.store.opened();
  await shareShards(node);
  return { store: node.store, clock, timers: nodeTimers, until };
}
