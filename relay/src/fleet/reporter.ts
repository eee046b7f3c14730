import type { CommandEvent, FlipEvent, LiveEvent } from "@mulkko/shared/live/events";
import type { FleetCommandValue } from "@mulkko/shared/live/fleet";
import { fleetDeviceKey } from "@mulkko/shared/live/fleet-keys";
import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import type { StoredActivity } from "@mulkko/shared/rest/fleet";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { isDeviceKey, parseDeviceKey } from "@mulkko/shared/rules/device-keys";
import { type Flip, lastFlip } from "@mulkko/shared/rules/presence";
import { repeat } from "@mulkko/shared/server/node-timers";
import type { Log } from "../runtime/log.ts";
import type { EventStream, StateValue } from "../store/streams.ts";
import { urgentReport, waterReport } from "./account-water.ts";
import {
  ACCOUNTS_A_BATCH,
  type AccountReport,
  alarmsOf,
  COMMANDS_AN_ACCOUNT,
  DEVICES_A_BATCH,
  type DeviceReport,
  deviceReport,
  type FleetBatch,
  type FleetVerdict,
  NOT_WANTED,
  UNCONFIRMED_MS,
  wireFlip,
} from "./reports.ts";

/** An active account, as the fleet's reporter reads it. */
export interface AccountSource {
  get(key: string): StateValue | undefined;
  keys(): Iterable<string>;
  readonly events: EventStream;
  /**
   * Return a device's activity history.
   * @param key of `devices`
   */
  beats(key: string): StoredActivity;
  /** Return a device's last flip, also one from before the relay watched it. */
  lastFlip(key: string): Flip | null;
  /** True once the account's lists have been read: before that its valves are not known. */
  isRead(): boolean;
}

/** Report an account's changes to the fleet. */
export interface AccountReporter {
  changed(key: string): void;
  logged(event: LiveEvent): void;
  /** Note that the account's lists have been read. */
  read(): void;
  /** Note that the account is no longer active on this node. */
  close(): void;
}

/** The changes of one account since its last report. */
export interface ReportingAccount {
  /** True if there is something to report. */
  readonly dirty: boolean;
  /** Treat everything as changed from now on. */
  begin(): void;
  changed(key: string): void;
  logged(event: LiveEvent): void;
  read(): void;
  /** Return a report of at most this many devices. The rest stays for the next report. */
  nextReport(devices: number): AccountReport;
}

/** An end after which a person has to check the valve. */
type OpenEnd = CommandEvent & Pick<FleetCommandValue, "state">;

const isOpenEnd = (event: CommandEvent): event is OpenEnd =>
  event.state === "unconfirmed" || event.state === "failed";

export function createReportingAccount(
  account: string,
  source: AccountSource,
  clock: Clock,
): ReportingAccount {
  const devices = new Set<string>();
  /** Devices without a report so far: their first report includes their history. */
  const unreported = new Set<string>();
  /** The last flip of each device. */
  const flips = new Map<string, FlipEvent>();
  /** Failed and unconfirmed commands by their id. */
  const open = new Map<string, OpenEnd>();
  let begins = false;
  let isRead = true;
  let alarms = false;
  let water = false;
  let commands = false;

  const note = (event: LiveEvent): void => {
    if (event.kind === "flip") flips.set(event.key, event);
    if (event.kind !== "command") return;
    open.delete(event.id);
    if (isOpenEnd(event)) open.set(event.id, event);
  };
  /**
   * Read the account when its report is due: ten thousand accounts that begin at once would block all other
   * work.
   */
  const read = (): void => {
    isRead = true;
    alarms = true;
    water = true;
    commands = true;
    for (const known of [devices, unreported, flips, open]) known.clear();
    for (const event of wholeLog(source.events)) note(event);
    for (const key of source.keys()) {
      if (!isDeviceKey(key)) continue;
      devices.add(key);
      unreported.add(key);
    }
  };
  const flipOf = (key: string): DeviceReport["flip"] => {
    const flip = flips.get(key);
    const logged = flip ? { at: flip.at, online: flip.online, last: flip.last } : null;
    return lastFlip(logged, wireFlip(source.lastFlip(key)));
  };
  const openCommands = (): NonNullable<AccountReport["commands"]> => {
    const now = clock.now();
    for (const [id, { at }] of open) if (now - Date.parse(at) > UNCONFIRMED_MS) open.delete(id);
    return [...open.values()]
      .slice(-COMMANDS_AN_ACCOUNT)
      .map(({ id, command, controllerId, channelId, number, target, state, by, reason = null, at }) => ({
        ...{ id, command, controllerId, channelId, number, target, state, by, reason, at },
      }));
  };

  return {
    get dirty() {
      return begins || alarms || water || commands || devices.size > 0;
    },
    begin() {
      begins = true;
      isRead = false;
    },
    changed(key) {
      if (isDeviceKey(key)) devices.add(key);
      else if (key.startsWith("alarm:")) {
        alarms = true;
        water = true;
      } else if (key.startsWith("channel:")) water = true;
      // An alarm names the farm of its device.
      else if (key.startsWith("farm:")) alarms = true;
    },
    read() {
      water = true;
    },
    logged(event) {
      note(event);
      if (event.kind === "flip") devices.add(event.key);
      if (event.kind === "command") commands = true;
    },
    nextReport(atMost) {
      if (!isRead) read();
      const reports: DeviceReport[] = [];
      const gone: string[] = [];
      for (const key of [...devices].slice(0, atMost)) {
        devices.delete(key);
        const value = source.get(key);
        const named = parseDeviceKey(key);
        if (value === undefined) {
          if (named?.kind === "sensor" || named?.kind === "controller") {
            gone.push(fleetDeviceKey(named.kind, named.id));
          }
          continue;
        }
        const report = deviceReport(key, value, flipOf(key));
        if (!report) continue;
        reports.push(unreported.delete(key) ? { ...report, beats: source.beats(key) } : report);
      }
      const accountReport: AccountReport = {
        account,
        begins,
        devices: reports,
        gone,
        ...(alarms && { alarms: alarmsOf(source.keys(), source.get) }),
        // An alarm shows its valve, so that both are reported together.
        ...((alarms || water) && { urgent: urgentReport(source, clock.now()) }),
        ...(water && { water: source.isRead() ? waterReport(source) : null }),
        ...(commands && { commands: openCommands() }),
      };
      begins = false;
      alarms = false;
      water = false;
      commands = false;
      return accountReport;
    },
  };
}

/** Return the complete log, oldest first. A reader may start only where the log is complete. */
function wholeLog(events: EventStream): LiveEvent[] {
  for (let back: number = LIVE_LIMITS.eventsKept; back > LIVE_LIMITS.eventSnapshot; back >>= 1) {
    const position = { epoch: events.epoch, offset: Math.max(0, events.offset - back) };
    const caught = events.eventsSince(position, LIVE_LIMITS.eventsKept);
    if (caught.kind === "resume") return caught.missed.map(({ event }) => event);
  }
  const caught = events.eventsSince(undefined, LIVE_LIMITS.eventSnapshot);
  return (caught.kind === "snapshot" ? caught.newest : caught.missed).map(({ event }) => event);
}

/** Collect the reports of the active accounts on this node for the fleet's owner. */
export interface NodeReporter {
  account(accountId: string, source: AccountSource): AccountReporter;
  /** Apply the verdict of a fleet's owner on this node. */
  applyVerdict(verdict: FleetVerdict): void;
  close(): void;
}

export interface NodeReporterDeps {
  readonly node: string;
  /** Send a batch to the fleet's owner, on this node or another. */
  readonly send: (batch: FleetBatch) => Promise<FleetVerdict>;
  /** True if the fleet's owner is on this node, which then sends its verdict by itself. */
  readonly isHere: () => boolean;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
}

/** ms between two requests for the verdict of an owner on another node. */
const ASK_EVERY_MS = 2_000;
/** ms between two batches. The first change after a pause is sent at once. */
const GATHER_MS = 200;

/**
 * Create the reporter. It collects only while the fleet has a viewer. For the first viewer, or for a new
 * owner, every account sends a complete report and then its changes.
 */
export function createNodeReporter(deps: NodeReporterDeps): NodeReporter {
  const { node, clock, timers, log } = deps;
  const accounts = new Map<string, ReportingAccount>();
  const dirty = new Set<string>();
  const over = new Set<string>();
  let verdict = NOT_WANTED;
  let sentAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;
  let timer: { cancel(): void } | undefined;
  let closed = false;

  const begin = (accountId: string, account: ReportingAccount): void => {
    account.begin();
    dirty.add(accountId);
  };
  const applyVerdict = (next: FleetVerdict): void => {
    const before = verdict;
    verdict = next;
    if (!next.wanted) {
      dirty.clear();
      over.clear();
      return;
    }
    if (before.wanted && before.term === next.term) return;
    for (const [accountId, account] of accounts) begin(accountId, account);
    sendSoon();
  };
  const nextBatch = (): FleetBatch => {
    const reports: AccountReport[] = [];
    let room = DEVICES_A_BATCH;
    for (const accountId of dirty) {
      if (room <= 0 || reports.length >= ACCOUNTS_A_BATCH) break;
      const account = accounts.get(accountId);
      if (account?.dirty) {
        const report = account.nextReport(room);
        room -= report.devices.length + report.gone.length;
        reports.push(report);
      }
      if (!account?.dirty) dirty.delete(accountId);
    }
    const batch = { node, term: verdict.term, reports, over: [...over].slice(0, 10_000) };
    for (const accountId of batch.over) over.delete(accountId);
    return batch;
  };
  const sendOne = async (): Promise<void> => {
    sentAt = clock.monotonic();
    // Collect all changes of one handler in one batch.
    await Promise.resolve();
    if (closed) return;
    try {
      applyVerdict(await deps.send(nextBatch()));
    } catch (error) {
      // The batch may be lost: the next owner that answers gets complete reports.
      const fields = { event: "fleet-report-failed", err: error };
      if (deps.isHere()) log.error(fields, "cannot send report to fleet owner");
      else log.debug(fields, "cannot send report to fleet owner");
      verdict = NOT_WANTED;
      dirty.clear();
    }
  };
  const send = (): void => {
    if (closed || running) return;
    running = sendOne().finally(() => {
      running = undefined;
      sendSoon();
    });
  };
  const sendSoon = (): void => {
    if (closed || running || !verdict.wanted || dirty.size + over.size === 0) return;
    const waits = GATHER_MS - (clock.monotonic() - sentAt);
    timer?.cancel();
    if (waits > 0) timer = timers.after(waits, sendSoon);
    else send();
  };
  const asking = repeat(timers, ASK_EVERY_MS, () => {
    if (!deps.isHere()) send();
  });

  return {
    applyVerdict,
    account(accountId, source) {
      const account = createReportingAccount(accountId, source, clock);
      accounts.set(accountId, account);
      over.delete(accountId);
      const noteChange = (change: () => void): void => {
        if (!verdict.wanted || accounts.get(accountId) !== account) return;
        change();
        if (!account.dirty) return;
        dirty.add(accountId);
        sendSoon();
      };
      if (verdict.wanted) {
        begin(accountId, account);
        sendSoon();
      }
      return {
        changed: (key) => noteChange(() => account.changed(key)),
        logged: (event) => noteChange(() => account.logged(event)),
        read: () => noteChange(() => account.read()),
        close() {
          if (accounts.get(accountId) !== account) return;
          accounts.delete(accountId);
          dirty.delete(accountId);
          if (verdict.wanted) over.add(accountId);
          sendSoon();
        },
      };
    },
    close() {
      closed = true;
      timer?.cancel();
      asking.cancel();
    },
  };
}
