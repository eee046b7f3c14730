import type { ValveStep } from "../store/durable.ts";
import { commandOf, commandShown, runShown } from "./channel-fields.ts";
import type { ChannelState } from "./channel-state.ts";
import type { ChannelTools } from "./channel-tools.ts";
import { type CommandLogEntry, entryInState, entryOfIntent, eventOf } from "./command-log-entry.ts";
import { type Intent, isPending } from "./intent.ts";
import { closeByRelay } from "./intent-steps.ts";

/** ms for which a refused or failed command stays on the panel. */
const LINGER_MS = 60_000;

/** Advance a channel's intent and its command: show, publish and persist each step. */
export interface ChannelSteps {
  /** Update the channel's value. */
  publish(): void;
  /** Send the newest step of a command to every viewer, the log and a waiting caller. */
  publishStep(moved: CommandLogEntry): void;
  /** Store the next intent, and advance its command where the state differs. */
  advance(next: Intent, reason: string | null): Promise<void>;
  /**
   * Replace the channel's intent. A pending command ends as superseded (CMD-0). Return the entries to persist
   * with the intent.
   */
  supersede(next: Intent, nextEntry: CommandLogEntry): CommandLogEntry[];
  /** Close the valve by a command of the relay itself. */
  closeAfter(why: "run-end" | "late-open"): Promise<void>;
  forget(): Promise<void>;
  /** End the intent of a removed channel. A pending command ends as superseded. */
  endGone(): Promise<void>;
  stepOf(intent: Intent | null, commands: readonly CommandLogEntry[]): ValveStep;
}

export function createChannelSteps(state: ChannelState, tools: ChannelTools): ChannelSteps {
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
  const publishStep = (moved: CommandLogEntry): void => {
    const { commandId, traceId, target, state: reached, reason } = moved;
    log.info(
      { event: "command-state-changed", commandId, traceId, channelKey, target, state: reached, reason },
      "command changed state",
    );
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
    if (old) publishStep(old);
    publishStep(nextEntry);
    return old ? [old, nextEntry] : [nextEntry];
  };

  const advance: ChannelSteps["advance"] = async (next, reason) => {
    const before = state.intent?.state;
    state.intent = next;
    if (next.state === before || state.entry === null) {
      await durable.writeOrRetry(stepOf(next, []));
      return;
    }
    const entry = entryInState(state.entry, next.state, reason, time.now());
    state.entry = entry;
    if (next.state === "refused" || next.state === "failed") {
      state.lingering = { command: commandOf(next), until: time.now() + LINGER_MS };
    }
    publish();
    publishStep(entry);
    await durable.writeOrRetry(stepOf(next, [entry]));
  };
  const forget = async (): Promise<void> => {
    state.intent = null;
    state.entry = null;
    publish();
    await durable.writeOrRetry(stepOf(null, []));
  };

  return {
    publish,
    publishStep,
    supersede,
    stepOf,
    advance,
    async closeAfter(why) {
      if (state.intent === null) return;
      const shown = state.seen?.report.onoff ?? null;
      const close = closeByRelay(state.intent, why, newId(), time.now(), shown);
      const press = why === "late-open" ? close.earlierOpens?.press : undefined;
      const entry: CommandLogEntry = {
        ...entryOfIntent(close, why),
        ...(press && { lateOpening: { at: press.at, by: press.by } }),
      };
      await durable.writeOrRetry(stepOf(close, supersede(close, entry)));
    },
    forget,
    async endGone() {
      if (state.intent !== null) await advance({ ...state.intent, state: "superseded" }, "channel-gone");
      await forget();
    },
  };
}
