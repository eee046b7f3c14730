import type { AlarmType } from "@mulkko/shared/live/alarm";
import { isDeviceKey } from "@mulkko/shared/rules/device-keys";
import type { LinkMonitor } from "../upstream/link-monitor.ts";
import type { AlarmAudience, AlarmSource, OpenValves, SourceDeps } from "./alarm-source.ts";

/** ms after which an outage is an alarm. A restart of the API or of the relay is shorter. */
export const OUTAGE_AFTER_MS = 20_000;

export const UPSTREAM_KEY = "link:upstream";
export const BROKER_KEY = "link:mqtt";
export const ACCOUNT_KEY = "account";

/**
 * Alarms for what the relay itself cannot reach: the farm API, its broker, or only this account of it
 * (ALM-4).
 */
export interface OutageAlarms extends AlarmSource {
  /** The outage that covers a device's silence; undefined if everything is available. */
  readonly covering: Covering | undefined;
}

/** An outage, and its start (ms UTC). */
export interface Covering {
  readonly key: string;
  readonly since: number;
}

export interface OutageDeps extends SourceDeps {
  readonly link: LinkMonitor;
  readonly open: OpenValves;
  /** Without attendance no observation of the account is expected. */
  readonly audience: Pick<AlarmAudience, "isAttended">;
}

interface Outage {
  readonly key: string;
  readonly type: AlarmType;
  /** True while the outage lasts. */
  is: boolean;
  /** ms UTC */
  since: number;
  /** True once it has lasted long enough. */
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

export function createOutageAlarms(deps: OutageDeps): OutageAlarms {
  const { sink, state, clock, timers, link, open } = deps;
  const upstream = outage(UPSTREAM_KEY, "upstream-down");
  const broker = outage(BROKER_KEY, "broker-down");
  const account = outage(ACCOUNT_KEY, "no-access");
  const all = [upstream, broker, account];

  const devices = (): number => {
    let count = 0;
    for (const key of state.keys()) if (isDeviceKey(key)) count += 1;
    return count;
  };
  const show = (one: Outage): void => {
    // While the API is away, an outage of its broker or of the account is part of that.
    const part = one !== upstream && upstream.counts;
    const expected = one !== account || open.any || deps.audience.isAttended;
    if (!one.counts || part || !expected) {
      sink.clear(one.key, one.type);
      return;
    }
    const isUnobserved = one !== broker && open.any;
    sink.hold(one.key, one.type, { priority: isUnobserved ? 1 : 3, devices: Math.max(1, devices()) });
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
    state.emit("outageOver", one.key);
  };
  const look = (): void => {
    turn(upstream, link.state.upstream === "down");
    turn(broker, link.state.mqtt === "down");
  };
  const stop = link.listen(look);
  look();
  state.on("accessChanged", (has) => turn(account, !has));

  return {
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
      // An outage from before the restart continues until the connection is seen to work.
      for (const one of all) {
        const isActive = alarms.some(
          ({ key, type, active }) => active && key === one.key && type === one.type,
        );
        if (!isActive) continue;
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
