import type { Extension } from "@mulkko/shared/rest/capabilities";
import { apiPath } from "@mulkko/shared/rest/routes";
import { buildAccount } from "@mulkko/shared/testing/builders";
import { createFakeClock, type FakeClock } from "@mulkko/shared/testing/fake-clock";
import type { OwnersDesk } from "../cluster/owners.ts";
import type { ChannelReport } from "../ports/channel-report.ts";
import type { Viewer } from "../ports/owners.ts";
import type { LoggedEvent, StateValue } from "../ports/streams.ts";
import type { ProvenAccount } from "../ports/tokens.ts";
import { createEmbeddedStore } from "../store/embedded/embedded-store.ts";
import { createLinkMonitor, type LinkWatch } from "../upstream/link-monitor.ts";
import { createFakeTimers, type FakeTimers } from "./fake-timers.ts";
import { createFakeUpstream, type FakeUpstream } from "./fake-upstream.ts";
import { createKeptLog, type KeptLog } from "./kept-log.ts";
import { answerAsFarm, createIdleDesk, createRigOwners } from "./rig-owners.ts";

/** Owners on a fake clock, in front of an API behind no socket, with valves that only remember. */
export interface OwnersRig {
  readonly owners: OwnersDesk;
  readonly api: FakeUpstream;
  readonly clock: FakeClock;
  readonly timers: FakeTimers;
  readonly link: LinkWatch;
  readonly log: KeptLog;
  /** Readings that came in, late ones too. */
  readonly readings: { accountId: string; sensorId: string; at: string }[];
  readonly reports: { channelKey: string; report: ChannelReport }[];
  /** Makes valves busy, so that their account is not released. */
  busy: boolean;
  readonly proven: ProvenAccount;
  /** What a viewer would see if it subscribed now. */
  state(viewer: Viewer): Readonly<Record<string, StateValue>>;
  events(viewer: Viewer): readonly LoggedEvent[];
  /** A message of the API's broker for the account. */
  publish(kind: "sensor" | "channel", id: string, body: object): void;
  publish(kind: "noti" | "changed", body: object): void;
}

export function createOwnersRig(
  options: { extensions?: Extension[]; relayKey?: string; secret?: string; file?: string } = {},
): OwnersRig {
  const clock = createFakeClock();
  const timers = createFakeTimers(clock);
  const api = createFakeUpstream();
  const log = createKeptLog();
  const onError = (error: unknown): never => {
    throw error;
  };
  for (const path of [apiPath.sensors, apiPath.clusters, apiPath.controllers, apiPath.notifications]) {
    api.answer(path, []);
  }
  answerAsFarm(api);
  let epochs = 0;
  const store = createEmbeddedStore({
    file: options.file ?? ":memory:",
    clock,
    timers,
    newEpoch: () => `epoch-${epochs++}`,
    onError,
  });
  const link = createLinkMonitor({ clock, timers, mqtt: "off", store: "embedded", onError });
  link.reachable(true);
  const reports: OwnersRig["reports"] = [];
  const readings: OwnersRig["readings"] = [];
  const owners = createRigOwners({
    api,
    store,
    link,
    clock,
    timers,
    log,
    extensions: options.extensions ?? [],
    relayKey: options.relayKey,
    secret: options.secret,
    reachable: () => link.state.upstream !== "down",
    createDesk: async () => ({
      ...createIdleDesk({ report: (channelKey, report) => void reports.push({ channelKey, report }) }),
      get busy() {
        return rig.busy;
      },
    }),
    onReading: (accountId, sensorId, at) =>
      void readings.push({ accountId, sensorId, at: new Date(at).toISOString() }),
    onError,
  });
  const account = buildAccount();
  const proven: ProvenAccount = {
    account,
    accountId: String(account.id),
    expiresAt: clock.now() + 1_800_000,
  };
  const rig: OwnersRig = {
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
    state(viewer) {
      const caught = viewer.devices.changesSince(undefined);
      return caught.kind === "snapshot" ? caught.state : {};
    },
    events(viewer) {
      const caught = viewer.events.eventsSince(undefined, 100);
      return caught.kind === "snapshot" ? caught.newest : [];
    },
    publish(kind: "sensor" | "channel" | "noti" | "changed", ...rest: [string, object] | [object]) {
      const userId = proven.accountId;
      const body = rest.length === 2 ? rest[1] : rest[0];
      const payload = Buffer.from(JSON.stringify(body));
      const arrivedAt = clock.now();
      if (kind === "noti" || kind === "changed") owners.hear({ topic: { kind, userId }, payload, arrivedAt });
      else owners.hear({ topic: { kind, userId, id: String(rest[0]) }, payload, arrivedAt });
    },
  };
  return rig;
}
