import type { LiveEvent } from "@mulkko/shared/live/events";
import { fleetDeviceKey } from "@mulkko/shared/live/fleet-keys";
import { parseDeviceKey } from "@mulkko/shared/live/keys";
import type { KeptBeats } from "@mulkko/shared/rest/fleet";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { EventStream, StateValue } from "../ports/streams.ts";
import type { AccountReport, DeviceReport } from "./account-report.ts";
import { alarmsOf, createAccountStory, wholeLog } from "./account-story.ts";
import { deviceReport } from "./device-report.ts";

/** An account at work, as the fleet's feed reads it. */
export interface AccountSource {
  get(key: string): StateValue | undefined;
  keys(): Iterable<string>;
  readonly events: EventStream;
  /** @param key of `devices` */
  beats(key: string): KeptBeats;
}

/** What an account's owner tells the fleet of. */
export interface AccountFeed {
  changed(key: string): void;
  logged(event: LiveEvent): void;
  /** The account is at work here no more. */
  close(): void;
}

/** One account's side of the feed: what has changed of it since it was reported last. */
export interface FeedingAccount {
  /** True if there is something to report. */
  readonly dirty: boolean;
  /** From now on everything counts as changed. */
  begin(): void;
  changed(key: string): void;
  logged(event: LiveEvent): void;
  /** Takes at most so many devices; what is left stays for the next report. */
  take(devices: number): AccountReport;
}

const isDevice = (key: string): boolean => key.startsWith("sensor:") || key.startsWith("controller:");

export function createFeedingAccount(account: string, source: AccountSource, clock: Clock): FeedingAccount {
  const devices = new Set<string>();
  /** Those of which nothing was said yet: their past goes along. */
  const unsaid = new Set<string>();
  let story = createAccountStory();
  let begins = false;
  let isRead = true;
  let alarms = false;
  let commands = false;

  /** When it is its turn: ten thousand accounts that begin at once would hold up everything else. */
  const read = (): void => {
    isRead = true;
    alarms = true;
    commands = true;
    story = createAccountStory();
    for (const event of wholeLog(source.events)) story.take(event);
    devices.clear();
    unsaid.clear();
    for (const key of source.keys()) {
      if (!isDevice(key)) continue;
      devices.add(key);
      unsaid.add(key);
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
      story.take(event);
      if (event.kind === "flip") devices.add(event.key);
      if (event.kind === "command") commands = true;
    },
    take(atMost) {
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
        const report = deviceReport(key, value, story.flipOf(key));
        if (!report) continue;
        reports.push(unsaid.delete(key) ? { ...report, beats: source.beats(key) } : report);
      }
      const said: AccountReport = {
        account,
        begins,
        devices: reports,
        gone,
        ...(alarms && { alarms: alarmsOf(source.keys(), source.get) }),
        ...(commands && { commands: story.unconfirmed(clock.now()) }),
      };
      begins = false;
      alarms = false;
      commands = false;
      return said;
    },
  };
}
