import { type Intent, isPending } from "../core/intent.ts";
import { closeByRelay } from "../core/intent-steps.ts";
import type { ValveStep } from "../ports/durable.ts";
import { commandOf, commandShown, runShown } from "./channel-fields.ts";
import type { ChannelState } from "./channel-state.ts";
import { type CommandLogEntry, entryInState, entryOfIntent, eventOf } from "./command-log-entry.ts";
import type { DeskTools } from "./desk-tools.ts";

/** How long a command that was refused or failed stays on the panel. */
const LINGER_MS = 60_000;

/** How a channel's intent and its command move on: shown, told and kept. */
export interface ChannelSteps {
  /** Brings the channel's key up to date. */
  publish(): void;
  /** Tells every viewer, the log and a waiting caller of a command's newest step. */
  tell(moved: CommandLogEntry): void;
  /** The intent moves on, and its command with it where the state is another. */
  advance(next: Intent, reason: string | null): Promise<void>;
  /**
   * Another intent takes the channel; a command that was still open ends as superseded (CMD-0). Returns the
   * entries that are to be kept with it.
   */
  supersede(next: Intent, nextEntry: CommandLogEntry): CommandLogEntry[];
  /** The relay wants the valve closed by itself. */
  closeAfter(why: "run-end" | "late-open"): Promise<void>;
  forget(): Promise<void>;
  /** The channel is gone, and with it what was wanted: an open command ends as superseded by that. */
  endGone(): Promise<void>;
  stepOf(intent: Intent | null, commands: readonly CommandLogEntry[]): ValveStep;
}

export function createChannelSteps(state: ChannelState, tools: DeskTools): ChannelSteps {
  const { writer, durable, time, log, newId } = tools;
  const { channelKey, answers } = state;

  const publish = (): void => {
    const channel = writer.get(channelKey);
    if (channel === undefined) return;
    if (state.lingering && time.now() >= state.lingering.until) state.lingering = null;
    const command = commandShown(state.intent) ?? state.lingering?.command ?? null;
    writer.patch(channelKey, {
      command,
      ...runShown(state.intent, state.seen?.report ?? null, channel.onoff),
    });
  };
  const tell = (moved: CommandLogEntry): void => {
    const { commandId, traceId, target, state: reached, reason } = moved;
    log.info({ commandId, traceId, channelKey, target, state: reached, reason }, "a valve command moved on");
    writer.event(eventOf(moved));
    answers.get(commandId)?.moved(moved);
    if (reached !== "requested") answers.delete(commandId);
  };
  const stepOf = (intent: Intent | null, commands: readonly CommandLogEntry[]): ValveStep => ({
    intents: [{ channelKey, intent }],
    commands: commands.map((record) => ({ commandId: record.commandId, at: record.at, record })),
  });
  const supersede = (next: Intent, nextEntry: CommandLogEntry): CommandLogEntry[] => {
    const { entry, intent } = state;
    const old =
      entry && intent && isPending(intent) ? entryInState(entry, "superseded", null, time.now()) : null;
    state.intent = next;
    state.entry = nextEntry;
    state.turnedAway = 0;
    state.lingering = null;
    publish();
    if (old) tell(old);
    tell(nextEntry);
    return old ? [old, nextEntry] : [nextEntry];
  };

  const advance: ChannelSteps["advance"] = async (next, reason) => {
    const before = state.intent?.state;
    state.intent = next;
    if (next.state === before || state.entry === null) {
      await durable.keep(stepOf(next, []));
      return;
    }
    const entry = entryInState(state.entry, next.state, reason, time.now());
    state.entry = entry;
    if (next.state === "refused" || next.state === "failed") {
      state.lingering = { command: commandOf(next), until: time.now() + LINGER_MS };
    }
    publish();
    tell(entry);
    await durable.keep(stepOf(next, [entry]));
  };
  const forget = async (): Promise<void> => {
    state.intent = null;
    state.entry = null;
    publish();
    await durable.keep(stepOf(null, []));
  };

  return {
    publish,
    tell,
    supersede,
    stepOf,
    advance,
    async closeAfter(why) {
      if (state.intent === null) return;
      const close = closeByRelay(state.intent, why, newId(), time.now());
      await durable.keep(stepOf(close, supersede(close, entryOfIntent(close, why))));
    },
    forget,
    async endGone() {
      if (state.intent !== null) await advance({ ...state.intent, state: "superseded" }, "channel-gone");
      await forget();
    },
  };
}
