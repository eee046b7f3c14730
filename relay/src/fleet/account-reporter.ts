import type { LiveEvent } from "@mulkko/shared/live/events";
import { fleetDeviceKey } from "@mulkko/shared/live/fleet-keys";
import type { StoredActivity } from "@mulkko/shared/rest/fleet";
import type { Clock } from "@mulkko/shared/rules/clock";
import { parseDeviceKey } from "@mulkko/shared/rules/device-keys";
import type { EventStream, StateValue } from "../store/streams.ts";
import type { AccountReport, DeviceReport } from "./account-report.ts";
import { alarmsOf, createAccountSummary, wholeLog } from "./account-summary.ts";
import { deviceReport } from "./device-report.ts";

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
}

/** Report an account's changes to the fleet. */
export interface AccountReporter {
  changed(key: string): void;
  logged(event: LiveEvent): void;
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
  /** Return a report of at most this many devices. The rest stays for the next report. */
  nextReport(devices: number): AccountReport;
}

const isDevice = (key: string): boolean => key.startsWith("sensor:") || key.startsWith("controller:");

export function createReportingAccount(
  account: string,
  source: AccountSource,
  clock: Clock,
): ReportingAccount {
  const devices = new Set<string>();
  /** Devices without a report so far: their first report includes their history. */
  const unreported = new Set<string>();
  let summary = createAccountSummary();
  let begins = false;
  let isRead = true;
  let alarms = false;
  let commands = false;

  /**
   * Read the account when its report is due: ten thousand accounts that begin at once would block all other
   * work.
   */
  const read = (): void => {
    isRead = true;
    alarms = true;
    commands = true;
    summary = createAccountSummary();
    for (const event of wholeLog(source.events)) summary.handle(event);
    devices.clear();
    unreported.clear();
    for (const key of source.keys()) {
      if (!isDevice(key)) continue;
      devices.add(key);
      unreported.add(key);
    }
  };

  return {
    get dirty() {
      return begins || alarms || commands || devices.size > 0;
    },
    begin() {
      begins = true;
      isRead = false;
    },
    changed(key) {
      if (isDevice(key)) devices.add(key);
      else if (key.startsWith("alarm:")) alarms = true;
    },
    logged(event) {
      summary.handle(event);
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
        const report = deviceReport(key, value, summary.flipOf(key));
        if (!report) continue;
        reports.push(unreported.delete(key) ? { ...report, beats: source.beats(key) } : report);
      }
      const accountReport: AccountReport = {
        account,
        begins,
        devices: reports,
        gone,
        ...(alarms && { alarms: alarmsOf(source.keys(), source.get) }),
        ...(commands && { commands: summary.unconfirmed(clock.now()) }),
      };
      begins = false;
      alarms = false;
      commands = false;
      return accountReport;
    },
  };
}
