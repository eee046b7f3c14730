import { VALVE_OFF, VALVE_ON } from "@mulkko/shared/rules/valve";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { DatabaseError } from "../../src/database/database.ts";
import { BrokerDownError, type OutMessage } from "../../src/devices/broker.ts";
import type { KnownDevice } from "../../src/devices/device-index.ts";
import type { DriverReport } from "../../src/devices/received.ts";
import type { Valves } from "../../src/valves/driven-valves.ts";
import { NO_NEWS } from "../../src/valves/drivers/soft-channel.ts";
import { createValves } from "../../src/valves/drivers/soft-controller.ts";
import type { SoftStore } from "../../src/valves/drivers/soft-store.ts";
import { StoreOutage } from "../../src/valves/drivers/store-outage.ts";
import { secondsOfPulseTime } from "../../src/valves/drivers/tasmota.ts";
import { type EngineSettings, NO_SETTINGS } from "../../src/valves/modes/engine-settings.ts";
import { type EngineState, newState, restored } from "../../src/valves/modes/engine-state.ts";

/** `hangs`: statements answer when the store's state changes. Then they succeed if it is well, and fail otherwise. */
export type StoreFault = "none" | "no-writes" | "away" | "hangs" | "hangs-at-writes";

const TICK_MS = 5_000;
const NUMBER = 1;
const ADDRESS = "bed";
/** Time after which a run that is over has had a close, ms, whatever the store does. */
const CLOSED_WITHIN_MS = 20_000;
/** The same, where only the store knows that it is over and cannot be read. */
const CLOSED_UNREAD_MS = 90_000;

const DEVICE: KnownDevice = {
  id: "controller",
  serial: 200_001,
  kind: "controller",
  accountId: "farmer",
  type: "CON04V",
  keyHash: new Uint8Array(),
  externalId: null,
  profile: null,
  channels: [{ number: NUMBER, key: "1" }],
  valves: { serial: 200_001, driver: "tasmota", address: ADDRESS },
};

/** The water that runs, as it was opened. Times are on the monotonic clock, ms. */
interface Opening {
  readonly by: "mode" | "user";
  readonly until: number;
  /** When it was over, and how long a close may take from then on; null: it is not over. */
  over: { readonly at: number; readonly within: number } | null;
}

/**
 * A Tasmota with one valve, a store that fails at any time, and the process between them, over restarts. It checks
 * at every moment what AUTO-9 promises, and throws where it is broken.
 */
export class DrivenValve {
  readonly clock = createFakeClock(Date.UTC(2026, 10, 28));
  /** Lines about the store, `error` or `info`. */
  readonly logged: string[] = [];
  /** Number of openings by a mode, by the activation of the mode. */
  readonly openedBy = new Map<number, number>();
  readonly sent: string[] = [];
  /** False: the valve ignores the end in its open command. */
  readonly #hasTimer: boolean;
  #fault: StoreFault = "none";
  #hanging: (() => void)[] = [];
  #process = 0;
  #valves: Valves;
  #looking = false;
  // The store.
  #settings: EngineSettings = { ...NO_SETTINGS, hasMoisture: true };
  #engine: EngineState | null = null;
  #report: DriverReport | null = null;
  #isOnlineInStore = false;
  #moisture: number | null = null;
  // The device.
  #isOnline = false;
  #isOpen = false;
  #pulse = 0;
  #endsAt: number | null = null;
  /** Messages that are not acknowledged, oldest first. */
  readonly #queue: { topic: string; payload: string }[] = [];
  #isPumping = false;
  #last: { topic: string; payload: string } | null = null;
  // What is expected.
  #opening: Opening | null = null;
  #onlineSince = 0;
  #userOpens = 0;
  #openedRun: number | null = null;

  constructor(hasTimer: boolean) {
    this.#hasTimer = hasTimer;
    this.#valves = this.#start();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** The settings and the run in the store. */
  get stored() {
    const { active } = this.#settings;
    return { active, run: this.#engine?.run ?? null, onoff: this.#report?.onoff ?? 0 };
  }

  fail(fault: StoreFault): void {
    this.#fault = fault;
    const hanging = this.#hanging;
    this.#hanging = [];
    for (const answer of hanging) answer();
  }

  async connect(isOnline: boolean): Promise<void> {
    if (this.#isOnline === isOnline) return;
    this.#isOnline = isOnline;
    this.#onlineSince = this.clock.monotonic();
    this.#say(`tele/${ADDRESS}/LWT`, isOnline ? "Online" : "Offline");
    await this.#settle();
  }

  /** Let time pass. */
  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += TICK_MS) await this.#tick();
  }

  async #tick(): Promise<void> {
    this.clock.advance(TICK_MS);
    if (this.#hasTimer && this.#endsAt !== null && this.clock.monotonic() >= this.#endsAt) this.#turn(false);
    void this.#pump(this.#process);
    await this.#settle();
    this.#valves.closeDue().catch((error: unknown) => this.#fatal(error));
    if (!this.#looking) {
      this.#looking = true;
      const own = this.#process;
      this.#valves
        .look()
        .catch((error: unknown) => this.#fatal(error))
        .finally(() => {
          if (own === this.#process) this.#looking = false;
        });
    }
    await this.#settle();
    this.#check();
  }

  /** True if a call succeeds that writes; a store that hangs has just taken it. */
  get #takesCalls(): boolean {
    return this.#fault !== "no-writes" && this.#fault !== "away";
  }

  /** Open for a user, as the command route does: only once the store has the command. */
  async open(minutes: number): Promise<void> {
    // A report from before an opening that arrives after it looks the same as its answer.
    if (!this.#takesCalls || !this.#isOnline || this.#queue.length > 0) return;
    this.#userOpens += 1;
    const own = this.#process;
    const command = {
      number: NUMBER,
      target: VALVE_ON,
      maxRunSeconds: minutes * 60,
      expiresAt: null,
    } as const;
    const refused = (): void => {
      if (own === this.#process) this.#userOpens = Math.max(0, this.#userOpens - 1);
    };
    void this.#valves.turn(DEVICE.id, command, "open").catch(refused);
    await this.#settle();
  }

  async close(): Promise<void> {
    if (this.#opening) this.#over(CLOSED_WITHIN_MS);
    // An opening that came before it is not carried out after it.
    this.#userOpens = 0;
    const before = this.sent.length;
    const command = { number: NUMBER, target: VALVE_OFF, maxRunSeconds: null, expiresAt: null } as const;
    void this.#valves.turn(DEVICE.id, command, "close");
    // Not a moment later.
    if (this.sent.slice(before).at(0) !== "POWER1 OFF") throw new Error("a close waits");
    await this.#settle();
  }

  /** Save settings, as a mode's route does. */
  async set(change: Partial<EngineSettings>): Promise<void> {
    if (change.active === "none") {
      if (this.#opening?.by === "mode" && this.#engine?.run) this.#over(CLOSED_WITHIN_MS);
      await this.#valves.endRun(DEVICE.id, NUMBER, "any");
    }
    if (!this.#takesCalls) return;
    this.#settings = { ...this.#settings, ...change, revision: this.#settings.revision + 1 };
    const isOther = this.#engine?.run?.mode !== this.#settings.active;
    if (this.#opening?.by === "mode") {
      // Switched off and on again between two looks, its run continues.
      if (this.#opening.over?.within === CLOSED_UNREAD_MS) this.#opening.over = null;
      if (isOther) this.#over(CLOSED_UNREAD_MS);
      else this.measure(this.#moisture);
    }
    void this.#valves.reread(DEVICE.id).catch(() => undefined);
    await this.#settle();
  }

  measure(moisture: number | null): void {
    this.#moisture = moisture;
    const upper = this.#settings.automatic?.upperBound ?? null;
    const isWet = moisture === null || (upper !== null && moisture >= upper);
    if (this.#opening?.by !== "mode" || this.#engine?.run?.mode !== "automatic") return;
    if (isWet) this.#over(CLOSED_UNREAD_MS);
    // A value between two reads is not seen.
    else if (this.#opening.over?.within === CLOSED_UNREAD_MS) this.#opening.over = null;
  }

  /** Deliver the last message once more. */
  async redeliver(): Promise<void> {
    if (this.#last) this.#deliver(this.#last);
    await this.#settle();
  }

  /** Press the valve's own button. */
  async press(): Promise<void> {
    this.#opening = null;
    this.#turn(!this.#isOpen);
    await this.#settle();
  }

  /** Restart the process, which starts only with a store that can be read. */
  async restart(): Promise<void> {
    if (this.#fault === "away" || this.#fault === "hangs") return;
    this.#process += 1;
    this.#looking = false;
    this.#isPumping = false;
    this.#userOpens = 0;
    // What was sent and lost is repeated by the relay, or ends with the valve's own timer.
    if (this.#opening && (!this.#hasTimer || !this.#isOnline)) {
      if (this.#opening.by === "user" || !this.#isOnline) this.#opening = null;
    }
    this.#valves = this.#start();
    await this.#tick();
  }

  /** Bring everything back, and check that valve, store and memory agree. */
  async recover(): Promise<void> {
    this.fail("none");
    await this.connect(true);
    await this.set({ active: "none" });
    await this.close();
    await this.pass(6 * 60_000);
    const { run, onoff } = this.stored;
    if (this.#isOpen || run !== null || onoff === VALVE_ON) {
      throw new Error(`after the recovery: ${JSON.stringify({ isOpen: this.#isOpen, run, onoff })}`);
    }
  }

  #over(within: number): void {
    if (this.#opening && !this.#opening.over) this.#opening.over = { at: this.clock.monotonic(), within };
    if (this.#opening?.over && within < this.#opening.over.within) {
      this.#opening.over = { at: this.clock.monotonic(), within };
    }
  }

  #check(): void {
    const now = this.clock.monotonic();
    const opening = this.#opening;
    if (!opening || !this.#isOpen) return;
    if (now >= opening.until && !opening.over) opening.over = { at: opening.until, within: CLOSED_WITHIN_MS };
    if (!opening.over) return;
    const since = Math.max(opening.over.at, this.#onlineSince);
    // A valve that is back is asked, and answers, within a repetition.
    const within = since > opening.over.at ? Math.max(opening.over.within, 75_000) : opening.over.within;
    if (this.#isOnline && now - since > within) {
      throw new Error(
        `open ${now - since} ms after its end; the store ${this.#fault}: ${this.sent.join(", ")}`,
      );
    }
  }

  #fatal(error: unknown): void {
    this.#fatalError ??= error;
  }
  #fatalError: unknown;

  /** Let everything that waits for no time happen. */
  async #settle(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#fatalError !== undefined) throw this.#fatalError;
  }

  // The device.

  #turn(isOpen: boolean): void {
    this.#isOpen = isOpen;
    const pulse = secondsOfPulseTime(this.#pulse) * 1_000;
    this.#endsAt = isOpen && this.#hasTimer && pulse > 0 ? this.clock.monotonic() + pulse : null;
    if (!isOpen) this.#opening = null;
    this.#say(`stat/${ADDRESS}/RESULT`, JSON.stringify({ POWER1: isOpen ? "ON" : "OFF" }));
  }

  #say(topic: string, payload: string): void {
    if (!this.#isOnline && !topic.endsWith("LWT")) return;
    this.#last = { topic, payload };
    this.#deliver(this.#last);
  }

  #deliver(message: { topic: string; payload: string }): void {
    this.#queue.push(message);
    void this.#pump(this.#process);
  }

  /** Deliver in order, each message when the one before is acknowledged. One that is not comes again at the next tick. */
  async #pump(own: number): Promise<void> {
    if (this.#isPumping) return;
    this.#isPumping = true;
    for (let message = this.#queue[0]; message && own === this.#process; message = this.#queue[0]) {
      const { topic, payload } = message;
      const whole = {
        topic,
        payload: Buffer.from(payload),
        duplicate: false,
        retained: false,
        connection: "one",
      };
      const isStored = await this.#valves.handle(whole).then(
        () => true,
        () => false,
      );
      if (own !== this.#process) return;
      if (!isStored) break;
      this.#queue.shift();
    }
    this.#isPumping = false;
  }

  #obey({ topic, payload }: OutMessage): void {
    const command = `${topic.split("/").at(-1)} ${payload}`.trim();
    this.sent.push(command);
    const seconds = /^Backlog0 PulseTime1 (\d+); Power1 ON$/.exec(command)?.[1];
    if (seconds !== undefined) this.#checkOpening(secondsOfPulseTime(Number(seconds)) * 1_000);
    if (!this.#isOnline) return;
    if (seconds !== undefined) {
      this.#pulse = Number(seconds);
      queueMicrotask(() => this.#turn(true));
    } else if (command === "POWER1 OFF") queueMicrotask(() => this.#turn(false));
    else if (command === "STATUS 11") {
      const powers = { POWER1: this.#isOpen ? "ON" : "OFF" };
      queueMicrotask(() => this.#say(`stat/${ADDRESS}/STATUS11`, JSON.stringify({ StatusSTS: powers })));
    }
  }

  /** An opening is a user's command, or the run that the store has, once. */
  #checkOpening(forMs: number): void {
    const until = this.clock.monotonic() + forMs;
    if (this.#userOpens > 0) {
      this.#userOpens -= 1;
      this.#opening = { by: "user", until, over: null };
      return;
    }
    const run = this.#engine?.run;
    const startedAt = run?.startedAt.now ?? null;
    if (startedAt === null || startedAt === this.#openedRun) {
      throw new Error(`opened what the store does not know: ${this.sent.join(", ")}`);
    }
    if (run?.mode !== this.#settings.active) throw new Error("opened by a mode that is not in charge");
    this.#openedRun = startedAt;
    const { revision } = this.#settings;
    this.openedBy.set(revision, (this.openedBy.get(revision) ?? 0) + 1);
    const active = this.#settings.active;
    if (active !== "automatic" && this.#settings[active]?.repeat === false) {
      if (this.openedBy.get(revision) !== 1) throw new Error("a mode without repeat watered twice");
    }
    // Behind reports that were not acknowledged, only the valve's own timer is certain to end it.
    this.#opening = this.#queue.length === 0 ? { by: "mode", until, over: null } : null;
  }

  // The process and its store.

  async #query<T>(own: number, isWrite: boolean, work: () => T): Promise<T> {
    await Promise.resolve();
    const hangs = this.#fault === "hangs" || (isWrite && this.#fault === "hangs-at-writes");
    if (hangs) await new Promise<void>((resolve) => this.#hanging.push(resolve));
    const isRefused =
      own !== this.#process ||
      this.#fault === "away" ||
      this.#fault === "hangs" ||
      (hangs && this.#fault !== "none") ||
      (isWrite && this.#fault === "no-writes");
    if (isRefused) throw new DatabaseError("the store is away", isWrite ? "53100" : "08006");
    return work();
  }

  #start(): Valves {
    const own = this.#process;
    const write = <T>(work: () => T) => this.#query(own, true, work);
    const read = <T>(work: () => T) => this.#query(own, false, work);
    const copy = <T>(value: T): T => structuredClone(value);
    const store: SoftStore = {
      load: (_device, moment) =>
        read(() => {
          const { onoff, runUntil, commandId } = this.#report ?? NO_NEWS;
          const engine = this.#engine ? restored(copy(this.#engine), moment) : newState(moment);
          const soft = { ...NO_NEWS, onoff, runUntil, commandId };
          return [{ channelId: 1, number: NUMBER, settings: copy(this.#settings), engine, soft }];
        }),
      moisture: () => read(() => this.#moisture),
      save: (_channelId, state) =>
        write(() => {
          this.#engine = copy(state);
        }),
      saveEnding: (_channel, { state, clears, revision }) =>
        write(() => {
          this.#engine = copy(state);
          if (clears && revision === this.#settings.revision) {
            this.#settings = { ...this.#settings, active: "none" };
          }
        }),
    };
    const ingest = {
      report: (report: DriverReport) =>
        write(() => {
          this.#report = report;
        }),
      line: (_device: KnownDevice, online: boolean) =>
        write(() => {
          this.#isOnlineInStore = online;
        }),
      links: { of: () => ({ online: this.#isOnlineInStore, saidArrival: null, receivedArrival: null }) },
      outputs: { changed: () => undefined },
    };
    const broker = {
      publish: async (message: OutMessage) => {
        if (own !== this.#process) throw new BrokerDownError("the process has ended");
        this.#obey(message);
      },
      hasSession: () => this.#isOnline,
      follow: () => undefined,
    };
    const note = (level: string) => (fields: unknown, text?: string) => {
      if (level === "error" || text?.includes("stored again")) this.logged.push(`${level}: ${text}`);
      void fields;
    };
    const logger = { error: note("error"), info: note("info"), warn: note("warn") };
    const devices = [DEVICE];
    return createValves(
      { byId: () => DEVICE, withValves: () => devices },
      { store, ingest, broker, clock: this.clock, logger, outage: new StoreOutage(logger) },
    );
  }
}
