import type { Clock } from "@mulkko/shared/rules/clock";
import { createListeners } from "../store/streams/listeners.ts";
import type { LinkMonitor } from "../upstream/link-monitor.ts";
import type { CapabilitySource } from "../upstream/upstream.ts";

/**
 * Reports if the API's MQTT output is received: its broker is up, and an API with that extension answers
 * (MQTT-1). An unavailable API causes silence that no device is responsible for (POLL-7).
 */
export interface MqttCoverage {
  readonly received: boolean;
  /** True if the output has been received without a break since that time (ms UTC). */
  readonly coveredSince: (at: number) => boolean;
  listen(listener: () => void): () => void;
}

export function createMqttCoverage(deps: {
  link: LinkMonitor;
  capabilities: CapabilitySource;
  clock: Clock;
  onError: (error: unknown) => void;
}): MqttCoverage {
  const { link, capabilities, clock } = deps;
  const listeners = createListeners<void>(deps.onError);
  let since: number | null = null;
  const update = (): void => {
    const { mqtt, upstream } = link.state;
    const now = mqtt === "up" && upstream !== "down" && capabilities.has("mqtt-out");
    if (now === (since !== null)) return;
    since = now ? clock.now() : null;
    listeners.call();
  };
  link.listen(update);
  capabilities.listen(update);
  update();
  return {
    get received() {
      return since !== null;
    },
    coveredSince: (at) => since !== null && since <= at,
    listen: listeners.add,
  };
}
