import type { Clock, Timer, Timers } from "@mulkko/shared/rules/clock";
import { type SettledLink, settleLink, settlesInMs } from "@mulkko/shared/rules/link-trouble";
import { createListeners } from "../store/streams/listeners.ts";
import type { LinkMonitor, LinkState } from "../upstream/link-monitor.ts";

/** Fields whose change is sent to sessions. */
const SENT = ["upstream", "mqtt", "store", "notStoring", "suspectedOffset"] as const;

/**
 * The link as sessions get it (LINK-1). The relay itself works with the link as it is.
 *
 * ```
 * shown well ──trouble──▶ shown troubled ──over──▶ settling ──15 s──▶ shown well
 *                               ▲                     │
 *                               └──────trouble────────┘
 * ```
 */
export class ShownLink implements LinkMonitor {
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #link: LinkMonitor;
  readonly #listeners;
  #settled: SettledLink<LinkState>;
  #timer: Timer | undefined;
  readonly #stop: () => void;

  constructor(deps: { link: LinkMonitor; clock: Clock; timers: Timers; onError: (error: unknown) => void }) {
    this.#link = deps.link;
    this.#clock = deps.clock;
    this.#timers = deps.timers;
    this.#listeners = createListeners<LinkState>(deps.onError);
    this.#settled = settleLink(null, deps.link.state, deps.clock.monotonic());
    this.#stop = deps.link.listen(() => this.#look());
  }

  /** The sign of life is the newest one, also while nothing else changes. */
  get state(): LinkState {
    return { ...this.#settled.shown, heardAt: this.#link.state.heardAt };
  }

  listen(listener: (state: LinkState) => void): () => void {
    return this.#listeners.add(listener);
  }

  close(): void {
    this.#stop();
    this.#timer?.cancel();
  }

  #look(): void {
    const now = this.#clock.monotonic();
    const before = this.#settled.shown;
    const settled = settleLink(this.#settled, this.#link.state, now);
    const isSame = SENT.every((field) => settled.shown[field] === before[field]);
    this.#settled = isSame ? { ...settled, shown: before } : settled;
    this.#timer?.cancel();
    const inMs = settlesInMs(settled, now);
    this.#timer =
      inMs === null ? undefined : this.#timers.after(Math.max(1, Math.ceil(inMs)), () => this.#look());
    if (!isSame) this.#listeners.call(this.state);
  }
}
