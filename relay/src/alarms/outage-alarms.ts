import type { AlarmType } from "@mulkko/shared/live/alarm";
import type { LinkMonitor } from "../ports/link.ts";
import type { AlarmSource, SourceParts } from "./alarm-source.ts";
import type { OpenValves } from "./open-valves.ts";

/** ms that an outage lasts before it is an alarm: a restart of the API or of the relay is none. */
export const OUTAGE_AFTER_MS = 20_000;

export const UPSTREAM_KEY = "link:upstream";
export const BROKER_KEY = "link:mqtt";
export const ACCOUNT_KEY = "account";

/** What the relay itself cannot reach: the farm API, its broker, or only this account of it (ALM-4). */
export interface OutageAlarms extends AlarmSource {
  /** The API lets the relay read the account, or does so no more. */
  access(has: boolean): void;
  /** What a device's silence since would be part of; undefined: nothing is away. */
  readonly covering: Covering | undefined;
}

/** Something that is away, and since when (ms UTC). */
export interface Covering {
  readonly key: string;
  readonly since: number;
}

export interface OutageParts extends SourceParts {
  readonly link: LinkMonitor;
  readonly open: OpenValves;
  /** Somebody looks, or the relay watches on by itself: else nobody expects it to see anything. */
  readonly attended: () => boolean;
  /** What was away is back, however short it was. */
  readonly onOver: (key: string) => void;
}

interface Outage {
  readonly key: string;
  readonly type: AlarmType;
  /** It is so at the moment. */
  is: boolean;
  /** ms UTC */
  since: number;
  /** It has been so for long enough. */
  counts: boolean;
  timer: { cancel(): void } | undefined;
}

const outage = (key: string, type: AlarmType): Outage => ({
  key,
  type,
  is: false,
  since: 0,
  counts: false,
  timer: undefined,
});

export function createOutageAlarms(parts: OutageParts): OutageAlarms {
  const { sink, writer, clock, timers, link, open } = parts;
  const upstream = outage(UPSTREAM_KEY, "upstream-down");
  const broker = outage(BROKER_KEY, "broker-down");
  const account = outage(ACCOUNT_KEY, "no-access");
  const all = [upstream, broker, account];

  const devices = (): number => {
    let count = 0;
    for (const key of writer.keys())
      if (key.startsWith("sensor:") || key.startsWith("controller:")) count += 1;
    return count;
  };
  const show = (one: Outage): void => {
    // Where the API is away too, its broker and the account are part of that.
    const part = one !== upstream && upstream.counts;
    const expected = one !== account || open.any || parts.attended();
    if (!one.counts || part || !expected) {
      sink.clear(one.key, one.type);
      return;
    }
    const blind = one !== broker && open.any;
    sink.hold(one.key, one.type, { priority: blind ? 1 : 3, devices: Math.max(1, devices()) });
  };
  const turn = (one: Outage, is: boolean): void => {
    if (one.is === is) return;
    one.is = is;
    one.since = clock.now();
    one.timer?.cancel();
    one.timer = undefined;
    if (is) {
      one.timer = timers.after(OUTAGE_AFTER_MS, () => {
        one.timer = undefined;
        one.counts = true;
        for (const each of all) show(each);
      });
      return;
    }
    one.counts = false;
    for (const each of all) show(each);
    parts.onOver(one.key);
  };
  const look = (): void => {
    turn(upstream, link.state.upstream === "down");
    turn(broker, link.state.mqtt === "down");
  };
  const stop = link.listen(look);
  look();

  return {
    access(has) {
      turn(account, !has);
    },
    get covering() {
      const away = [upstream, broker].find((one) => one.is);
      return away && { key: away.key, since: away.since };
    },
    changed(key, fields) {
      const valve =
        key.startsWith("watering:") || (key.startsWith("channel:") && (!fields || "onoff" in fields));
      if (valve) for (const one of all) if (one.counts) show(one);
    },
    restored(alarms) {
      // What was an outage before the restart is one still, until the way is seen to be open again.
      for (const one of all) {
        const stands = alarms.some(({ key, type, active }) => active && key === one.key && type === one.type);
        if (!stands) continue;
        if (one.is) one.timer?.cancel();
        if (one.is || one === account) {
          one.is = true;
          one.counts = true;
        } else sink.clear(one.key, one.type);
      }
    },
    close() {
      stop();
      for (const one of all) one.timer?.cancel();
    },
  };
}
