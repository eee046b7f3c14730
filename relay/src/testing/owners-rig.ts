import type { Extension } from "@mulkko/shared/rest/capabilities";
import { apiPath } from "@mulkko/shared/rest/routes";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { buildAccount } from "@mulkko/shared/testing/builders";
import { createFakeClock, type FakeClock } from "@mulkko/shared/testing/fake-clock";
import { seededRandom } from "@mulkko/shared/testing/random";
import { createNodeOwners } from "../cluster/node-owners.ts";
import type { OwnersDesk } from "../cluster/owners.ts";
import { createSeal } from "../cluster/seal.ts";
import { createClockSuspicion } from "../core/clock-suspicion.ts";
import { DEFAULT_INTERVALS } from "../core/poll-pacing.ts";
import type { ChannelReport } from "../ports/channel-report.ts";
import type { Viewer } from "../ports/owners.ts";
import type { LoggedEvent, StateValue } from "../ports/streams.ts";
import type { ProvenAccount } from "../ports/tokens.ts";
import { createHearing } from "../sources/hearing.ts";
import { createEmbeddedStore } from "../store/embedded/embedded-store.ts";
import { createAccountSessions } from "../upstream/account-sessions.ts";
import { UpstreamStatusError } from "../upstream/errors.ts";
import { createGate } from "../upstream/gate.ts";
import { createLinkMonitor, type LinkWatch } from "../upstream/link-monitor.ts";
import { createTokenProver } from "../upstream/token-prover.ts";
import { createUpstreamClock } from "../upstream/upstream-clock.ts";
import { createFakeMetrics } from "./fake-metrics.ts";
import { createFakeTimers, type FakeTimers } from "./fake-timers.ts";
import { createFakeUpstream, type FakeUpstream } from "./fake-upstream.ts";
import { createKeptLog, type KeptLog } from "./kept-log.ts";

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
  api.answer(apiPath.relaySession, { accessToken: "relay-token" });
  api.answerOthers(new UpstreamStatusError("not found", 404, "not-found", null));
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
  const extensions = options.extensions ?? [];
  const capabilities = {
    extensions,
    has: (extension: Extension) => extensions.includes(extension),
    listen: () => () => undefined,
  };
  const reports: OwnersRig["reports"] = [];
  const readings: OwnersRig["readings"] = [];
  const seal = createSeal(options.secret ?? "a-secret-of-the-relay-0123456789");
  const owners = createNodeOwners({
    store,
    client: api,
    gate: createGate({ clock, timers, perSecond: 1_000, reachable: () => link.state.upstream !== "down" }),
    prover: createTokenProver({ client: api, clock, proofs: store.proofs, onError }),
    capabilities,
    sessions: createAccountSessions({
      client: api,
      capabilities,
      store,
      seal,
      clock,
      log,
      key: options.relayKey,
      reachable: () => link.state.upstream !== "down",
    }),
    upstreamClock: createUpstreamClock(),
    async createDesk() {
      return {
        command: async () => ({ ok: false, status: 404, code: "not-found", message: "no valves here" }),
        report: (channelKey, report) => void reports.push({ channelKey, report }),
        closeAll: async () => ({ ok: true, jobId: "job", channels: [] }),
        commands: async () => [],
        heard: () => undefined,
        waterings: async () => [],
        get busy() {
          return rig.busy;
        },
        close: () => undefined,
      };
    },
    onReading: (accountId, sensorId, at) =>
      void readings.push({ accountId, sensorId, at: new Date(at).toISOString() }),
    hearing: createHearing({ link, capabilities, clock, onError }),
    suspicion: createClockSuspicion(),
    zone: createApiTimeZone("Asia/Seoul"),
    clock,
    timers,
    random: seededRandom(11),
    intervals: DEFAULT_INTERVALS,
    metrics: createFakeMetrics(),
    log,
    stretch: () => 1,
    link,
    perSecond: 1_000,
    seal,
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
