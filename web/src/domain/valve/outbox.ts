import type { CommandEvent } from "@mulkko/shared/live/events";
import type { CloseAllAnswer, CommandRecord } from "@mulkko/shared/rest/command";
import { isFinalStatus } from "@mulkko/shared/rest/final-status";
import type { Timers } from "@mulkko/shared/rules/clock";
import { parseJson } from "@mulkko/shared/schema/parse";
import type { StoreApi } from "zustand/vanilla";
import { closeIn } from "../../api/alarms.ts";
import type { RestClient } from "../../api/client.ts";
import {
  type CommandOptions,
  closeAll,
  closeFleetValve,
  newCommandId,
  sendSetting,
  sendValveCommand,
  type ValveCommand,
  withdrawOpening,
} from "../../api/commands.ts";
import { ApiError, errorReason } from "../../api/errors.ts";
import { endMode, type Mode } from "../../api/modes.ts";
import { OutboxEntry, readEntriesOfOlderBuild, targetOf } from "./outbox-entry.ts";
import { OUTBOX_PREFIX } from "./outbox-keys.ts";

/** Storage shared by the browser's tabs: a closed page leaves its commands to the next one. */
export type OutboxMemory = Pick<Storage, "length" | "key" | "getItem" | "setItem" | "removeItem">;

export interface OutboxDeps {
  readonly rest: RestClient;
  /** The account whose commands are sent. */
  readonly accountId: string;
  /** Return the id of the signed-in account; null without one. Checked before every call. */
  readonly signedIn: () => string | null;
  readonly memory: OutboxMemory;
  /** Receives the stored commands of the account, oldest first. */
  readonly store: StoreApi<readonly OutboxEntry[]>;
  /** Wall clock of this machine, ms UTC; used for ages only. */
  readonly now: () => number;
  readonly timers: Timers;
}

/** Result of an opening, as far as its page knows. */
export type OpeningOutcome =
  /** The relay knows the command: the live stream delivers the rest. */
  { readonly kind: "taken" } | { readonly kind: "refused"; readonly reason: string };

/** How a stored command left the outbox. */
export type OutboxOutcome =
  /** Answered; `answer` of a close-all, `record` of an administrator's close. */
  | { readonly kind: "taken"; readonly answer: CloseAllAnswer | null; readonly record?: CommandRecord }
  /** It will never be accepted, or has waited too long; shown until the user dismisses it. */
  | { readonly kind: "refused"; readonly reason: string; readonly id: string }
  /** Taken back by the user, replaced by a newer press, or answered in another tab. */
  | { readonly kind: "gone" };

/** Result of one attempt: null if the command has to be sent again. */
type Attempt =
  | Extract<OutboxOutcome, { kind: "taken" }>
  | { readonly kind: "refused"; readonly reason: string }
  | null;

/** Maximum number of stored commands of an account; the oldest are given up, visibly. */
export const OUTBOX_AT_MOST = 100;
/** Age at which a command is given up, ms: the relay recognises a repeated id for as long (CMD-7). */
export const OUTBOX_KEPT_MS = 24 * 3_600_000;
/** Milliseconds within which the requesting page gives an opening up; after that any page revokes it. */
const LEFT_OVER_MS = 30_000;
/**
 * Milliseconds in which the live stream may still name an opening whose call has failed. A page that is being left
 * fails its calls, too: it ends within them, and its opening is left to the next page.
 */
const NAMED_WITHIN_MS = 2_000;
/** Delays between attempts, ms; the last one repeats. They begin again when the line may be back. */
const GAPS_MS = [1_000, 2_000, 5_000, 10_000, 30_000] as const;
/** Timeout of an attempt that closes, ms: the relay answers within 5 s, and a repeat is harmless. */
const ATTEMPT_MS = 10_000;
/** Status after which the next sign-in can send the command. */
const SIGNED_OUT = 401;
/** Reasons of an entry that was given up without a refusal, for `labels.error`. */
const TOO_OLD = "outbox-too-old";
const TOO_MANY = "outbox-full";

/** Codes of refusals that say nothing about the command: another account is signed in, or this one is suspended. */
const NOT_OF_THE_COMMAND: readonly string[] = ["other-account", "account-disabled"];

/**
 * Return true for a refusal that a repeated call cannot change. One without a reason is of a proxy or of a network's
 * sign-in page: the relay has not seen the command.
 */
const isFinal = (error: unknown): boolean =>
  error instanceof ApiError &&
  isFinalStatus(error.status) &&
  error.hasReason &&
  error.status !== SIGNED_OUT &&
  !NOT_OF_THE_COMMAND.includes(error.code);

type CloseAllEntry = Extract<OutboxEntry, { kind: "close-all" }>;
type ModeOffEntry = Extract<OutboxEntry, { kind: "mode-off" }>;

/** The loop that sends one entry. */
interface Loop {
  /** Ends a pause, or the attempt under way. */
  wake: () => void;
  /** Attempts since the line was last back. */
  tries: number;
}

/**
 * The commands of this browser that make water safer and have no answer yet: a close, a close-all, a mode
 * switched off, an end for an opening made at the controller, and the withdrawal of an opening (CMD-8, CMD-12). Each is stored under its id before it is
 * sent, and sent until the relay answers, also after a reload, on any page, after a new sign-in of the same
 * account, and never under another account.
 *
 * ```
 *               ┌──────── again, once the line is back or the pause is over ───────┐
 *               ▼                                                                  │
 *  press ──▶ sending ──── no answer, 5xx, 401, 408, 429, another account ──▶ waiting
 *               │                                                                  │
 *               ├── answer ─────────────────────────────────────────────▶ gone     │
 *               ├── refusal for good ─────────▶ ended ── dismissed ─────▶ gone     │
 *               └── taken back, newer press, answered in another tab ───▶ gone ◀───┤
 *                                             ended ◀── 24 h, 100 entries ─────────┘
 *
 *  An opening has no retry of its own: without an answer, and not named by the live stream within 2 s, it becomes
 *  its withdrawal (`givenUp`), which runs through the same states.
 * ```
 */
export class Outbox {
  readonly #deps: OutboxDeps;
  readonly #loops = new Map<string, Loop>();
  /** Callers that wait for an outcome, by entry. */
  readonly #waiters = new Map<string, (outcome: OutboxOutcome) => void>();
  /** Entries that the browser did not store (full or blocked storage): they live as long as the page. */
  readonly #unstored = new Map<string, OutboxEntry>();
  readonly #closeAllListeners = new Set<(entry: CloseAllEntry, outcome: OutboxOutcome) => void>();

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
    for (const entry of readEntriesOfOlderBuild(deps.memory)) this.#put(entry);
  }

  // Presses.

  /**
   * Open a valve. Without an answer the opening is revoked, with retries (CMD-12). A stored close of the same
   * valve is dropped: the opening is the user's later word.
   *
   * @param onUnsure called with the code for `labels.error` when no answer came and the revocation begins
   * @returns when the relay has answered; never rejects
   */
  async open(
    { target: _, ...command }: ValveCommand,
    onUnsure: (reason: string) => void,
  ): Promise<OpeningOutcome> {
    const { commandId: id } = command;
    const entry = { ...this.#base(id), ...command, kind: "open", givenUp: false } as const;
    this.#replace(entry);
    try {
      await sendValveCommand(this.#deps.rest, { ...command, target: 1 });
    } catch (error) {
      if (error instanceof ApiError && error.status < 500 && error.hasReason) {
        this.#drop(id);
        return { kind: "refused", reason: errorReason(error) };
      }
      await new Promise<void>((resolve) => this.#deps.timers.after(NAMED_WITHIN_MS, resolve));
      if (this.#find(id) === undefined) return { kind: "taken" };
      onUnsure(errorReason(error));
      const outcome = await this.#send({ ...entry, givenUp: true });
      return outcome.kind === "refused" ? { kind: "refused", reason: outcome.reason } : { kind: "taken" };
    }
    this.#drop(id);
    return { kind: "taken" };
  }

  /** Close a valve. @returns when the relay has answered, or the command is gone; never rejects */
  close(command: Omit<ValveCommand, "target" | "runSeconds">, valve: ValveName): Promise<OutboxOutcome> {
    return this.#send({ ...this.#base(command.commandId), ...command, ...valve, kind: "close" });
  }

  /** Close every valve of a farm, or of the account for an id of null. @returns as {@link close} */
  closeAll(
    { id: farmId, name: farmName, valves }: ClosedFarm,
    pressed: ValveCommand["pressed"],
  ): Promise<OutboxOutcome> {
    const farm = { farmId, farmName, valves: [...valves] };
    return this.#send({ ...this.#base(newCommandId()), kind: "close-all", ...farm, pressed });
  }

  /** Close a valve of any account, for an administrator (CMD-21). @returns as {@link close}, with its record */
  closeInFleet(order: FleetCloseOrder): Promise<OutboxOutcome> {
    return this.#send({ ...this.#base(newCommandId()), kind: "fleet-close", ...order });
  }

  /** Give an opening made at the controller an end. @returns as {@link close} */
  closeIn(order: CloseInOrder): Promise<OutboxOutcome> {
    return this.#send({ ...this.#base(newCommandId()), kind: "close-in", ...order });
  }

  /** Switch a mode off. @returns as {@link close} */
  modeOff(off: ModeOff, valve: ValveName): Promise<OutboxOutcome> {
    const id = newCommandId();
    return this.#send({ ...this.#base(id), ...off, ...valve, kind: "mode-off", commandId: id });
  }

  /** Drop what this press replaces: a mode is put in charge, and its stored switch-off is older. */
  modeOn(channelId: string): void {
    for (const entry of this.entries) {
      if (entry.kind === "mode-off" && entry.channelId === channelId) this.#leave(entry.id, { kind: "gone" });
    }
  }

  // The user's decisions about stored commands.

  /** Take a command back. It may have been carried out already if its answer was lost. */
  takeBack(id: string): void {
    this.#leave(id, { kind: "gone" });
  }

  /** Remove the note about a command that was given up. */
  dismiss(id: string): void {
    this.#leave(id, { kind: "gone" });
  }

  // Events.

  /** Handle a command named by the live stream: the relay knows it, and every screen shows its state. */
  named(command: CommandStep & Pick<CommandEvent, "id">): void {
    const { id, kept } = command;
    const entry = this.#find(id);
    if (entry?.kind === "open" && !entry.givenUp) this.#drop(id);
    // A relay that has stored the close repeats it by itself (CMD-4).
    if (entry?.kind === "close" && (kept !== false || isTaken(command)))
      this.#leave(id, { kind: "taken", answer: null });
  }

  /** Handle a change of the storage by another tab. */
  refresh(): void {
    for (const [id, loop] of this.#loops) if (this.#find(id) === undefined) loop.wake();
    this.#publish();
  }

  /** Send everything that waits at once. Call it when the line may be back: an attempt under way may hang. */
  resume(): void {
    for (const loop of this.#loops.values()) {
      loop.tries = 0;
      loop.wake();
    }
    this.begin();
  }

  /** Send the commands that nothing sends yet: those of closed pages, and of the account's last session. */
  begin(): void {
    const { now, timers, accountId } = this.#deps;
    for (const entry of this.#all()) {
      // The notes of accounts that do not return must not fill the browser.
      if (now() - entry.at >= 2 * OUTBOX_KEPT_MS) this.#drop(entry.id);
      if (entry.accountId !== accountId || entry.ended !== undefined) continue;
      // A clock that was set back must not make an opening wait longer.
      const left = LEFT_OVER_MS - Math.max(0, now() - entry.at);
      const waits = entry.kind === "open" && !entry.givenUp ? left : 0;
      if (waits <= 0) this.#start(entry.id);
      else timers.after(waits, () => this.#start(entry.id));
    }
    this.#publish();
  }

  /** Call back when a close-all is answered or ends, whatever page pressed it. */
  onCloseAll(listener: (entry: CloseAllEntry, outcome: OutboxOutcome) => void): () => void {
    this.#closeAllListeners.add(listener);
    return () => this.#closeAllListeners.delete(listener);
  }

  /** Number of commands that make water safer and have no answer. */
  get unanswered(): number {
    return this.entries.filter(({ kind, ended }) => kind !== "open" && ended === undefined).length;
  }

  // Storage.

  #base(id: string) {
    return { id, accountId: this.#deps.accountId, at: this.#deps.now() };
  }

  #all(): OutboxEntry[] {
    const { memory } = this.#deps;
    const found = new Map(this.#unstored);
    const keys = Array.from({ length: memory.length }, (_, index) => memory.key(index) ?? "");
    for (const key of keys) {
      if (!key.startsWith(OUTBOX_PREFIX)) continue;
      const stored = parseJson(OutboxEntry, memory.getItem(key) ?? "");
      if (stored.ok) found.set(stored.value.id, stored.value);
      // Half an entry cannot be sent.
      else memory.removeItem(key);
    }
    return [...found.values()].sort((a, b) => a.at - b.at);
  }

  /** Stored commands of the account, oldest first. */
  get entries(): readonly OutboxEntry[] {
    return this.#all().filter(({ accountId }) => accountId === this.#deps.accountId);
  }

  #find(id: string): OutboxEntry | undefined {
    const stored = parseJson(OutboxEntry, this.#deps.memory.getItem(OUTBOX_PREFIX + id) ?? "");
    return stored.ok ? stored.value : this.#unstored.get(id);
  }

  #put(entry: OutboxEntry): void {
    try {
      this.#deps.memory.setItem(OUTBOX_PREFIX + entry.id, JSON.stringify(entry));
      this.#unstored.delete(entry.id);
    } catch {
      // Sent all the same, from this page alone; `isStored` lets the screen say so.
      this.#unstored.set(entry.id, entry);
    }
  }

  /** Return false for a command that would not survive the page. */
  isStored(id: string): boolean {
    return !this.#unstored.has(id);
  }

  #drop(id: string): void {
    this.#unstored.delete(id);
    this.#deps.memory.removeItem(OUTBOX_PREFIX + id);
    this.#publish();
  }

  #publish(): void {
    const { store, signedIn, accountId } = this.#deps;
    // An answer after the sign-out must not draw its account's commands in the next one.
    if (signedIn() !== accountId) return;
    const next = this.entries;
    if (JSON.stringify(next) !== JSON.stringify(store.getState())) store.setState(next, true);
  }

  // Life of an entry.

  /** Store an entry in place of those that it replaces, and give the oldest up beyond the limit. */
  #replace(entry: OutboxEntry): void {
    for (const other of this.entries) {
      // The withdrawal of an opening ends by itself: its opening is never wanted again.
      if (other.kind === "open" || other.id === entry.id || targetOf(other) !== targetOf(entry)) continue;
      this.#leave(other.id, { kind: "gone" });
    }
    this.#put(entry);
    const live = this.entries.filter(({ ended }) => ended === undefined);
    for (const oldest of live.slice(0, Math.max(0, live.length - OUTBOX_AT_MOST)))
      this.#end(oldest, TOO_MANY);
    this.#publish();
  }

  /** Store an entry and send it until it leaves. */
  #send(entry: OutboxEntry): Promise<OutboxOutcome> {
    const outcome = new Promise<OutboxOutcome>((resolve) => this.#waiters.set(entry.id, resolve));
    this.#replace(entry);
    this.#start(entry.id);
    return outcome;
  }

  #leave(id: string, outcome: OutboxOutcome): void {
    const entry = this.#find(id);
    this.#drop(id);
    this.#loops.get(id)?.wake();
    if (entry !== undefined) this.#report(entry, outcome);
  }

  /** Give an entry up: its note stays until the user dismisses it. */
  #end(entry: OutboxEntry, reason: string): void {
    this.#put({ ...entry, ended: reason });
    this.#publish();
    this.#report(entry, { kind: "refused", reason, id: entry.id });
  }

  #report(entry: OutboxEntry, outcome: OutboxOutcome): void {
    this.#waiters.get(entry.id)?.(outcome);
    this.#waiters.delete(entry.id);
    if (entry.kind === "close-all") for (const listener of this.#closeAllListeners) listener(entry, outcome);
  }

  #start(id: string): void {
    const entry = this.#find(id);
    if (entry === undefined || this.#loops.has(id)) return;
    if (entry.kind === "open" && !entry.givenUp) this.#put({ ...entry, givenUp: true });
    const loop: Loop = { wake: () => undefined, tries: 0 };
    this.#loops.set(id, loop);
    void this.#run(id, loop).finally(() => this.#loops.delete(id));
  }

  /** Send one entry until it has left, or another account is signed in. */
  async #run(id: string, loop: Loop): Promise<void> {
    const { now, timers, accountId, signedIn } = this.#deps;
    for (;;) {
      const entry = this.#find(id);
      if (entry === undefined || entry.ended !== undefined) {
        this.#waiters.get(id)?.({ kind: "gone" });
        this.#waiters.delete(id);
        return;
      }
      if (now() - entry.at >= OUTBOX_KEPT_MS) {
        // The relay has dropped an opening of that age as well.
        return entry.kind === "open" ? this.#leave(id, { kind: "gone" }) : this.#end(entry, TOO_OLD);
      }
      if (signedIn() !== accountId) return;
      const under = new AbortController();
      loop.wake = () => under.abort();
      const tries = loop.tries++;
      const result = await this.#attempt(entry, under.signal);
      if (result?.kind === "taken") return this.#leave(id, result);
      if (result?.kind === "refused") {
        // Taken back meanwhile, or an opening, whose refusal is the wanted result.
        if (this.#find(id) === undefined || entry.kind === "open") return this.#leave(id, { ...result, id });
        return this.#end(entry, result.reason);
      }
      if (under.signal.aborted) continue;
      await new Promise<void>((resolve) => {
        const timer = timers.after(GAPS_MS[tries] ?? 30_000, resolve);
        loop.wake = () => {
          timer.cancel();
          resolve();
        };
      });
    }
  }

  /** Send an entry once. */
  async #attempt(entry: OutboxEntry, signal: AbortSignal): Promise<Attempt> {
    const { rest } = this.#deps;
    const options = { forAccount: entry.accountId, signal, timeoutMs: ATTEMPT_MS };
    try {
      switch (entry.kind) {
        case "open":
          return withdrawn(
            await withdrawOpening(rest, { ...entry, commandId: entry.id, target: 1 }, options),
          );
        case "close": {
          const command = { ...entry, commandId: entry.id, target: 2, runSeconds: null } as const;
          return closed(await sendValveCommand(rest, command, options));
        }
        case "close-all":
          return closedAll(await closeAll(rest, entry.farmId ?? "all", entry.id, entry.pressed, options));
        case "mode-off":
          return await this.#switchOff(entry, options);
        case "close-in":
          await closeIn(rest, entry.alarmId, minutesLeft(entry, this.#deps.now()), options);
          return { kind: "taken", answer: null };
        case "fleet-close": {
          const record = await closeFleetValve(rest, entry, options);
          const attempt = closed(record);
          return attempt?.kind === "taken" ? { ...attempt, record } : attempt;
        }
      }
    } catch (error) {
      return isFinal(error) ? { kind: "refused", reason: errorReason(error) } : null;
    }
  }

  async #switchOff(entry: ModeOffEntry, options: CommandOptions): Promise<Attempt> {
    if (entry.way === "charge") {
      // It may have waited: a mode that was put in charge meanwhile stays.
      await endMode(this.#deps.rest, entry.channelId, entry.mode, options);
      return { kind: "taken", answer: null };
    }
    const { form, controllerId, number, mode, commandId } = entry;
    const reset = {
      commandId,
      form,
      controllerId,
      number,
      command: `${mode}/reset`,
      payload: 1,
      pressed: null,
    };
    const fate = await sendSetting(this.#deps.rest, reset, options);
    if (fate.kind === "taken") return { kind: "taken", answer: null };
    if (fate.kind === "refused" && fate.reason !== "upstream-down")
      return { kind: "refused", reason: fate.reason };
    // The relay sends a reset to the farm API once under its id: the next attempt needs another one.
    if (this.#find(entry.id) !== undefined) this.#put({ ...entry, commandId: newCommandId() });
    return null;
  }
}

/** A valve of any account to close, and why. */
export type FleetCloseOrder = Pick<
  Extract<OutboxEntry, { kind: "fleet-close" }>,
  "owner" | "ownerName" | "controllerId" | "channelId" | "valve" | "reason" | "pressed"
>;

/** The alarm of an opening made at the controller, and the minutes after which it is closed. */
export type CloseInOrder = Pick<Extract<OutboxEntry, { kind: "close-in" }>, "alarmId" | "minutes" | "name">;

/** Return the minutes until the end that was pressed; at least one. */
function minutesLeft({ at, minutes }: Extract<OutboxEntry, { kind: "close-in" }>, now: number): number {
  const left = Math.ceil(minutes - (now - at) / 60_000);
  return Math.min(minutes, Math.max(1, left));
}

/** Name of the valve at the press, for the pages that list stored commands. */
export interface ValveName {
  readonly channelId: string;
  readonly name: string | null;
}

/** A farm, or the account (id and name null), whose valves are closed. */
export interface ClosedFarm {
  readonly id: string | null;
  readonly name: string | null;
  readonly valves: Extract<OutboxEntry, { kind: "close-all" }>["valves"];
}

/** A mode to switch off. */
export interface ModeOff extends Pick<ValveCommand, "form" | "controllerId" | "number"> {
  readonly mode: Mode;
  /** `charge`: put no mode in charge, values stay (extension `mode-enable`). `reset`: clear the mode. */
  readonly way: "charge" | "reset";
}

/** Return the result of a withdrawal. */
function withdrawn({ state, reason }: CommandRecord): Attempt {
  const isRefused = state === "refused" || state === "failed";
  return isRefused ? { kind: "refused", reason: reason ?? "unknown" } : { kind: "taken", answer: null };
}

/** How far a command has come. */
type CommandStep = Pick<CommandRecord, "state" | "kept"> & { readonly reason?: string | null };

/**
 * Return true for a close that the relay has stored and is sending, or that has reached the farm API: a relay that
 * cannot store it keeps it in memory at most (NODE-3), and it is sent again, under the same id.
 */
function isTaken({ state, reason, kept }: CommandStep): boolean {
  if (state === "requested") return kept !== false;
  return state !== "failed" && state !== "refused" && !(state === "unconfirmed" && reason === "no-answer");
}

/** Return the result of a close. */
function closed(record: CommandRecord): Attempt {
  return isTaken(record) ? { kind: "taken", answer: null } : null;
}

/** Return the result of a close-all. */
function closedAll(answer: CloseAllAnswer): Attempt {
  const { channels, kept } = answer;
  const isRepeated = kept === false && !channels.every((channel) => isTaken({ ...channel, kept }));
  return isRepeated ? null : { kind: "taken", answer };
}
