import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { OFFLINE_AFTER_MS } from "@mulkko/shared/rules/quality";
import { createListeners } from "../store/streams/listeners.ts";
import type { CapabilitySource } from "./capabilities.ts";
import type { LinkMonitor } from "./link-monitor.ts";
import type { UpstreamClock } from "./upstream-clock.ts";

/** The farm API's part in a device's silence (POLL-7). All times are ms UTC. */
export interface Reception {
  /**
   * True while the API's MQTT output is received: its broker is up, and an API with that extension answers
   * (MQTT-1).
   */
  readonly mqtt: boolean;
  /** True if the MQTT output has been received without a break since that time. */
  isReceivedSince(at: number): boolean;
  /**
   * True if the farm API may cause the silence of a device with that last report. This holds while its times
   * cannot be right (ONL-3) and while it stores no readings, and for an hour afterwards, in which each device
   * has yet to report.
   */
  isDoubtful(heardAt: number | null): boolean;
  /**
   * The time in which silence is not judged, because the farm API stored no readings: since when, and until
   * when; `until` is null as long as it stores none. Null while every silence is judged.
   */
  readonly withheld: { readonly since: number; readonly until: number | null } | null;
  /** Subscribe to changes. Return the unsubscribe function. */
  listen(listener: () => void): () => void;
  close(): void;
}

/** The end of the hour after an outage of storage. */
interface Ending {
  /** ms UTC */
  readonly at: number;
  cancel(): void;
}

export function createReception(deps: {
  link: LinkMonitor;
  capabilities: CapabilitySource;
  upstreamClock: Pick<UpstreamClock, "suspectedOffset">;
  clock: Clock;
  timers: Timers;
  onError: (error: unknown) => void;
}): Reception {
  const { link, capabilities, upstreamClock, clock, timers } = deps;
  const listeners = createListeners<void>(deps.onError);
  let mqttSince: number | null = null;
  /** The last time in which no readings were stored, until an hour after its end. */
  let notStored: { readonly since: number; readonly ending: Ending | null } | null = null;

  const updateMqtt = (): void => {
    const { mqtt, upstream } = link.state;
    const now = mqtt === "up" && upstream !== "down" && capabilities.has("mqtt-out");
    if (now === (mqttSince !== null)) return;
    mqttSince = now ? clock.now() : null;
    listeners.call();
  };
  const updateStored = (): void => {
    const { notStoring } = link.state;
    if (notStoring !== null && (notStored === null || notStored.ending !== null)) {
      notStored?.ending?.cancel();
      const since = Math.min(notStored?.since ?? notStoring.since, notStoring.since, clock.now());
      notStored = { since, ending: null };
      listeners.call();
    } else if (notStoring === null && notStored?.ending === null) {
      const timer = timers.after(OFFLINE_AFTER_MS, () => {
        notStored = null;
        listeners.call();
      });
      notStored = { ...notStored, ending: { at: clock.now() + OFFLINE_AFTER_MS, cancel: timer.cancel } };
      listeners.call();
    }
  };
  const stops = [link.listen(updateMqtt), link.listen(updateStored), capabilities.listen(updateMqtt)];
  updateMqtt();
  return {
    get mqtt() {
      return mqttSince !== null;
    },
    get withheld() {
      return notStored && { since: notStored.since, until: notStored.ending?.at ?? null };
    },
    isReceivedSince: (at) => mqttSince !== null && mqttSince <= at,
    isDoubtful(heardAt) {
      if (upstreamClock.suspectedOffset() !== null) return true;
      return heardAt !== null && notStored !== null && heardAt > notStored.since - OFFLINE_AFTER_MS;
    },
    listen: listeners.add,
    close() {
      for (const stop of stops) stop();
      notStored?.ending?.cancel();
    },
  };
}
