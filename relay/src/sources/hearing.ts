import type { Clock } from "@mulkko/shared/rules/clock";
import type { LinkMonitor } from "../ports/link.ts";
import type { CapabilitySource } from "../ports/upstream.ts";
import { createListeners } from "../streams/listeners.ts";

/**
 * Whether the API's MQTT output is heard: the broker is there, and the API, which says that it speaks, answers
 * (MQTT-1). Silence while it is away would be its own, not a device's (POLL-7).
 */
export interface Hearing {
  readonly heard: boolean;
  /** True if it has been heard without a break since that moment (ms UTC). */
  readonly heardSince: (at: number) => boolean;
  listen(listener: () => void): () => void;
}

export function createHearing(parts: {
  link: LinkMonitor;
  capabilities: CapabilitySource;
  clock: Clock;
  onError: (error: unknown) => void;
}): Hearing {
  const { link, capabilities, clock } = parts;
  const listeners = createListeners<void>(parts.onError);
  let since: number | null = null;
  const look = (): void => {
    const { mqtt, upstream } = link.state;
    const now = mqtt === "up" && upstream !== "down" && capabilities.has("mqtt-out");
    if (now === (since !== null)) return;
    since = now ? clock.now() : null;
    listeners.call();
  };
  link.listen(look);
  capabilities.listen(look);
  look();
  return {
    get heard() {
      return since !== null;
    },
    heardSince: (at) => since !== null && since <= at,
    listen: listeners.add,
  };
}
