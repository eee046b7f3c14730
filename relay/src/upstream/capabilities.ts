import { Capabilities, type Extension } from "@mulkko/shared/rest/capabilities";
import { lacksCall } from "@mulkko/shared/rest/final-status";
import { capabilityList } from "@mulkko/shared/rest/operations/account";
import type { Timers } from "@mulkko/shared/rules/clock";
import { createListeners } from "../store/streams/listeners.ts";
import type { UpstreamClient } from "./client.ts";
import { UpstreamAnswerError, UpstreamStatusError } from "./errors.ts";

/** Extensions of the farm API beyond the plain contract; none until it has answered. */
export interface CapabilitySource {
  readonly extensions: readonly string[];
  /** False until the API has answered once: then it may have any extension. */
  readonly isKnown: boolean;
  has(extension: Extension): boolean;
  /** Subscribe to changes. Return the unsubscribe function. */
  listen(listener: () => void): () => void;
}

/** Delay before the next request if the API did not answer, ms. */
const ASK_AGAIN_MS = 60_000;
const LIMIT_BYTES = 64 * 1024;

/** Extensions of the API beyond the plain contract, with the requests that find them. */
export interface CapabilityWatch extends CapabilitySource {
  /** Ask now; settles with the answer, or without one if there was none. Never rejects. */
  ask(): Promise<void>;
  close(): void;
}

/**
 * Ask the API for its extensions. It has none if it does not know the call. Another refusal for good, or a page
 * instead of a list, means none only while none are known: it may come from a proxy in front of the API. After
 * everything else the request is repeated every 60 s (KEEP-5).
 */
export function watchCapabilities(deps: {
  client: UpstreamClient;
  timers: Timers;
  onError: (error: unknown) => void;
}): CapabilityWatch {
  const listeners = createListeners<void>(deps.onError);
  let extensions: readonly string[] = [];
  let isKnown = false;
  let timer: { cancel(): void } | undefined;
  let closed = false;

  const become = (next: readonly string[]): void => {
    isKnown = true;
    if (next.join() === extensions.join()) return;
    extensions = next;
    listeners.call();
  };
  const hasNone = (error: unknown): boolean => {
    if (error instanceof UpstreamStatusError && lacksCall(error.status)) return true;
    const isRefusal =
      error instanceof UpstreamAnswerError || (error instanceof UpstreamStatusError && !error.temporary);
    return isRefusal && extensions.length === 0;
  };
  const ask = async (): Promise<void> => {
    timer?.cancel();
    try {
      const answer = await deps.client.get(capabilityList.path, Capabilities, {
        limits: { bytes: LIMIT_BYTES },
        unit: "capabilities",
      });
      become(answer.extensions);
    } catch (error) {
      if (hasNone(error)) become([]);
      else if (!closed) timer = deps.timers.after(ASK_AGAIN_MS, () => void ask());
    }
  };
  return {
    get extensions() {
      return extensions;
    },
    get isKnown() {
      return isKnown;
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
