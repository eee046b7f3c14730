import {
  type Display,
  PAIRING_INTERVAL_SECONDS,
  type PairingAnswer,
  type PairingCode,
} from "@mulkko/shared/rest/displays";
import type { Clock, Random, Timer, Timers } from "@mulkko/shared/rules/clock";
import { createStore } from "zustand/vanilla";
import { reconnectDelay } from "../../live/connection.ts";

/** State of an unpaired screen. `endsAt`: end of the code, ms on the monotonic clock. */
export type PairingState =
  | { readonly state: "asking"; readonly unreachable: boolean }
  | {
      readonly state: "code";
      readonly code: string;
      readonly approvePath: string;
      /** Address under the installation's public address; null without one. */
      readonly approveUrl: string | null;
      readonly endsAt: number;
    };

/** The two calls of an unpaired screen. Both reject without an answer and on a temporary refusal. */
export interface PairingCalls {
  askCode(): Promise<PairingCode>;
  askToken(deviceCode: string): Promise<PairingAnswer>;
}

/** Increase of the polling interval after each slow_down answer, ms (RFC 8628 §3.5). */
export const SLOW_DOWN_MS = 5_000;

/** Pairing of a screen: shows one code after the other until a user approves one. */
export type Pairing = ReturnType<typeof createPairing>;

export function createPairing(deps: {
  readonly calls: PairingCalls;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly approved: (token: string, display: Display) => void;
}) {
  const { calls, clock, timers, random, approved } = deps;
  const store = createStore<PairingState>(() => ({ state: "asking", unreachable: false }));
  let running = 0;
  let failures = 0;
  let timer: Timer | undefined;

  const later = (run: number, ms: number, what: () => Promise<void>) => {
    if (run !== running) return;
    timer = timers.after(ms, () => void what());
  };
  const begin = async (run: number): Promise<void> => {
    try {
      const code = await calls.askCode();
      if (run !== running) return;
      failures = 0;
      const endsAt = clock.monotonic() + code.expiresInSeconds * 1000;
      const { approvePath, approveUrl = null } = code;
      store.setState({ state: "code", code: code.code, approvePath, approveUrl, endsAt }, true);
      wait(run, code, endsAt, Math.max(code.intervalSeconds, PAIRING_INTERVAL_SECONDS) * 1000);
    } catch {
      if (run !== running) return;
      store.setState({ state: "asking", unreachable: true }, true);
      later(run, reconnectDelay(failures, random), () => begin(run));
      failures += 1;
    }
  };
  /** Poll again after a while; a missing answer keeps the code until its end. */
  const wait = (run: number, code: PairingCode, endsAt: number, everyMs: number): void =>
    later(run, everyMs, async () => {
      if (clock.monotonic() >= endsAt) return begin(run);
      const answer = await calls.askToken(code.deviceCode).catch(() => null);
      if (run !== running) return;
      switch (answer?.state) {
        case "approved":
          running += 1;
          approved(answer.token, answer.display);
          return;
        case "expired":
          return begin(run);
        case "slowDown":
          return wait(run, code, endsAt, everyMs + SLOW_DOWN_MS);
        case "pending":
        case undefined:
          return wait(run, code, endsAt, everyMs);
      }
    });

  return {
    store,
    /** @returns a function that stops */
    start() {
      running += 1;
      store.setState({ state: "asking", unreachable: false }, true);
      void begin(running);
      return () => {
        running += 1;
        timer?.cancel();
      };
    },
  };
}

/** Split a code into two groups of four for reading aloud. */
export function codeGroups(code: string): readonly [string, string] {
  return [code.slice(0, 4), code.slice(4)];
}
