import type { Extension } from "@mulkko/shared/rest/capabilities";
import { controllerList } from "@mulkko/shared/rest/operations/controllers";
import { clusterList } from "@mulkko/shared/rest/operations/farms";
import { notificationList } from "@mulkko/shared/rest/operations/notifications";
import { sensorList } from "@mulkko/shared/rest/operations/sensors";
import { buildAccount } from "@mulkko/shared/testing/builders";
import { createFakeClock, type FakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers, type FakeTimers } from "@mulkko/shared/testing/fake-timers";
import type { ProvenAccount } from "../src/access/token-prover.ts";
import type { ChannelReport } from "../src/account/channel-report.ts";
import type { Viewer } from "../src/account/viewing.ts";
import type { OwnersService } from "../src/cluster/owners.ts";
import { type LoggedEvent, type StateValue, stateOf } from "../src/store/streams.ts";
import { createLinkMonitor, type LinkWatch } from "../src/upstream/link-monitor.ts";
import type { CreateValveService } from "../src/valves/valves.ts";
import { type CapturedLog, createCapturedLog } from "./captured-log.ts";
import { createFakeUpstream, type FakeUpstream } from "./fake-upstream.ts";
import { answerAsFarm, createHarnessOwners, createIdleService } from "./harness-owners.ts";
import { createTestStore } from "./test-store.ts";

/** Owners on a fake clock, in front of an API without a socket, with valves that only record commands. */
export interface OwnersHarness {
  readonly owners: OwnersService;
  readonly api: FakeUpstream;
  readonly clock: FakeClock;
  readonly timers: FakeTimers;
  readonly link: LinkWatch;
  readonly log: CapturedLog;
  /** The readings that arrived, including late ones. */
  readonly readings: { accountId: string; sensorId: string; at: string }[];
  readonly reports: { channelKey: string; report: ChannelReport }[];
  /** True makes valves busy, so that their account is not released. */
  busy: boolean;
  readonly proven: ProvenAccount;
  /** Return the state that a viewer would see if it subscribed now. */
  state(viewer: Viewer): Readonly<Record<string, StateValue>>;
  events(viewer: Viewer): readonly LoggedEvent[];
  /** Publish a message of the API's broker for the account. */
  publish(kind: "sensor" | "channel", id: string, body: object): void;
  publish(kind: "noti" | "changed", body: object): void;
}

export function createOwnersHarness(
  options: {
    extensions?: Extension[];
    relayKey?: string;
    secret?: string;
    file?: string;
    /** Zone of the farm API; by default Seoul's. */
    zone?: string;
    /** The clock of an earlier harness, to continue after a restart of the relay. */
    clock?: FakeClock;
    /** By default valves only record commands. */
    createService?: CreateValveService;
  } = {},
): OwnersHarness {
  const clock = options.clock ?? createFakeClock();
  const timers = createFakeTimers(clock);
  const api = createFakeUpstream();
  const log = createCapturedLog();
  const onError = (error: unknown): never => {
    throw error;
  };
  for (const path of [sensorList.path, clusterList.path, controllerList.path, notificationList.path]) {
    api.answer(path, []);
  }
  answerAsFarm(api);
  const store = createTestStore({ clock, timers, file: options.file });
  const link = createLinkMonitor({ clock, timers, mqtt: "off", store: "embedded", onError });
  link.reachable(true);
  const reports: OwnersHarness["reports"] = [];
  const readings: OwnersHarness["readings"] = [];
  const createService: CreateValveService = async () => ({
    ...createIdleService({ report: (channelKey, report) => void reports.push({ channelKey, report }) }),
    get busy() {
      return harness.busy;
    },
  });
  const owners = createHarnessOwners(
    { api, store, link, clock, timers, log, createService: options.createService ?? createService },
    {
      extensions: options.extensions,
      relayKey: options.relayKey,
      secret: options.secret,
      zone: options.zone,
      reachable: () => link.state.upstream !== "down",
      onReading: (accountId, sensorId, at) =>
        void readings.push({ accountId, sensorId, at: new Date(at).toISOString() }),
    },
  );
  const account = buildAccount();
  const proven: ProvenAccount = {
    account,
    accountId: String(account.id),
    expiresAt: clock.now() + 1_800_000,
  };
  const harness: OwnersHarness = {
    owners,
    api,
    clock,
    timers,
    link,
    log,
    readings,
    reports,
    busy: false,
    proven,
    state: (viewer) => stateOf(viewer.devices),
    events(viewer) {
      const caught = viewer.events.eventsSince(undefined, 100);
      return caught.kind === "snapshot" ? caught.newest : [];
    },
    publish(kind: "sensor" | "channel" | "noti" | "changed", ...rest: [string, object] | [object]) {
      const userId = proven.accountId;
      const body = rest.length === 2 ? rest[1] : rest[0];
      const payload = Buffer.from(JSON.stringify(body));
      const arrivedAt = clock.now();
      if (kind === "noti" || kind === "changed")
        owners.receive({ topic: { kind, userId }, payload, arrivedAt });
      else owners.receive({ topic: { kind, userId, id: String(rest[0]) }, payload, arrivedAt });
    },
  };
  return harness;
}
