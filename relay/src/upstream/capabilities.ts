import { Capabilities, type Extension } from "@mulkko/shared/rest/capabilities";
import { apiPath } from "@mulkko/shared/rest/routes";
import type { Timers } from "../ports/timers.ts";
import type { CapabilitySource } from "../ports/upstream.ts";
import { createListeners } from "../streams/listeners.ts";
import type { UpstreamClient } from "./client.ts";
import { UpstreamAnswerError, UpstreamStatusError } from "./errors.ts";

/** ms until the API is asked again, where it had no answer. */
const ASK_AGAIN_MS = 60_000;
const LIMIT_BYTES = 64 * 1024;

/** What the API offers beyond the plain contract, and when that is settled. */
export interface CapabilityWatch extends CapabilitySource {
  /** Asks now; settles with the answer, or without one if there was none. Never rejects. */
  ask(): Promise<void>;
  close(): void;
}

/**
 * Asks the API what it offers. Any answer below 500 that is no list means that it offers nothing; after a 5xx or no
 * answer it is asked again every 60 s.
 */
export function watchCapabilities(parts: {
  client: UpstreamClient;
  timers: Timers;
  onError: (error: unknown) => void;
}): CapabilityWatch {
  const listeners = createListeners<void>(parts.onError);
  let extensions: readonly string[] = [];
  let timer: { cancel(): void } | undefined;
  let closed = false;

  const become = (next: readonly string[]): void => {
    if (next.join() === extensions.join()) return;
    extensions = next;
    listeners.call();
  };
  const ask = async (): Promise<void> => {
    timer?.cancel();
    try {
      const answer = await parts.client.get(apiPath.capabilities, Capabilities, {
        limitBytes: LIMIT_BYTES,
        unit: "capabilities",
      });
      become(answer.extensions);
    } catch (error) {
      const answered =
        error instanceof UpstreamAnswerError || (error instanceof UpstreamStatusError && error.status < 500);
      if (answered) become([]);
      else if (!closed) timer = parts.timers.after(ASK_AGAIN_MS, () => void ask());
    }
  };
  return {
    get extensions() {
      return extensions;
    },
    has: (extension: Extension) => extensions.includes(extension),
    listen: listeners.add,
    ask,
    close() {
      closed = true;
      timer?.cancel();
    },
  };
}
