import { type CloseIntent, openWindowEnd, remainingSeconds } from "../core/intent.ts";
import { answered, sending } from "../core/intent-steps.ts";
import type { Action } from "../core/next-action.ts";
import type { SendResult } from "../ports/valves.ts";
import type { ChannelState } from "./channel-state.ts";
import type { ChannelSteps } from "./channel-steps.ts";
import type { DeskTools } from "./desk-tools.ts";
import { dispatch, outgoingClose, outgoingOpen } from "./dispatch.ts";

/** ms for which what the store has said of this node's right to act is believed. */
const CLAIM_GOOD_MS = 1_000;

/** How a channel's commands leave for the farm API, and what becomes of their answers. */
export interface ChannelSending {
  open(send: Extract<Action, { do: "send-open" }>): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param post hands a job to the channel's mailbox, ahead of the ordinary
 * @param run lets the channel decide again
 */
export function createChannelSending(
  state: ChannelState,
  tools: DeskTools,
  steps: ChannelSteps,
  post: (job: () => Promise<void>) => void,
  run: () => Promise<void>,
): ChannelSending {
  const { writer, durable, time, log, newId } = tools;
  const { channelKey } = state;

  const take = (sendNumber: number, commandId: string) => (result: SendResult) => {
    tools.noticeJump();
    post(async () => {
      const { intent } = state;
      if (intent === null || intent.commandId !== commandId) return;
      const newest = intent.sends === sendNumber && intent.answer === "waiting";
      if (!newest && result.kind !== "accepted") return;
      if (result.kind === "refused" || result.kind === "not-sent") state.turnedAway += 1;
      const next = answered(intent, result, time.now());
      await steps.advance(next, null);
      const unlisted = writer.get(channelKey) === undefined;
      if (result.kind === "refused" && unlisted && (state.isGone || result.status === 404)) {
        await steps.endGone();
      }
      await run();
    });
  };

  /**
   * NODE-5: a close may pass a newer opening only if this node still decides about the valve, as the store says at
   * most a second before it leaves. Where the store is away it leaves all the same, and a person's that was pressed
   * just now in any case: nothing newer can be known.
   */
  const claimed = async (leaving: CloseIntent): Promise<boolean> => {
    const at = time.now();
    let kept = await durable.keep(steps.stepOf(leaving, []));
    if (kept === "kept" && time.now() - at > CLAIM_GOOD_MS)
      kept = await durable.keep(steps.stepOf(leaving, []));
    if (state.closed) return false;
    const age = time.now() - leaving.at;
    return kept !== "stale" || (leaving.why === "pressed" && age >= 0 && age <= CLAIM_GOOD_MS);
  };

  return {
    async open(send) {
      if (state.intent?.want !== "open") return;
      const before = state.intent;
      const bearer = state.token;
      if (bearer === null) {
        state.intent = { ...before, mayResend: false };
        return;
      }
      const leaving = sending(before, before.commandId, time.now());
      state.intent = leaving;
      try {
        await durable.must(steps.stepOf(leaving, []));
      } catch (error) {
        log.error({ err: error, channelKey }, "an opening is not sent: its end cannot be kept");
        state.intent = { ...before, mayResend: false, reason: "store-down" };
        return;
      }
      // The disk may have taken its time. Nothing is sent past a newer wish, nor late.
      const now = time.now();
      if (state.pressesWaiting > 0 || state.closed || now >= openWindowEnd(before)) {
        state.intent = answered(leaving, { kind: "not-sent", message: "replaced, or too late" }, now);
        return;
      }
      const outgoing = outgoingOpen(
        before,
        { ...send, remainingSeconds: remainingSeconds(before, now) },
        bearer,
      );
      dispatch(tools, outgoing, take(leaving.sends, leaving.commandId));
    },
    async close() {
      if (state.intent?.want !== "close") return;
      const sendId = state.intent.sends === 0 ? state.intent.commandId : newId();
      const leaving = sending(state.intent, sendId, time.now());
      state.intent = leaving;
      if (!(await claimed(leaving))) return;
      const outgoing = outgoingClose(leaving, sendId, state.token, state.turnedAway);
      dispatch(tools, outgoing, take(leaving.sends, leaving.commandId));
    },
  };
}
