import type { SendResult } from "../upstream/outgoing-command.ts";
import type { ChannelState } from "./channel-state.ts";
import type { ChannelSteps } from "./channel-steps.ts";
import type { ChannelTools } from "./channel-tools.ts";
import { dispatch, outgoingClose, outgoingOpen } from "./dispatch.ts";
import { type CloseIntent, openWindowEnd, remainingSeconds } from "./intent.ts";
import { answered, sending } from "./intent-steps.ts";
import type { Action } from "./next-action.ts";

/** ms for which the store's last answer about this node's ownership is trusted. */
const CLAIM_GOOD_MS = 1_000;

/** Send a channel's commands to the farm API and handle the answers. */
export interface ChannelSending {
  open(send: Extract<Action, { do: "send-open" }>): Promise<void>;
  close(): Promise<void>;
}

/**
 * Create the sender of a channel.
 * @param post queue a job of the channel ahead of the ordinary ones
 * @param run let the channel decide again
 */
export function createChannelSending(
  state: ChannelState,
  tools: ChannelTools,
  steps: ChannelSteps,
  post: (job: () => Promise<void>) => void,
  run: () => Promise<void>,
): ChannelSending {
  const { writer, durable, time, log, newId } = tools;
  const { channelKey } = state;

  /**
   * Handle the answer to a send.
   * @param bearer the person's token that the command was sent with
   */
  const handleResult = (sendNumber: number, commandId: string, bearer?: string) => (result: SendResult) => {
    tools.noticeJump();
    post(async () => {
      const { intent } = state;
      if (intent === null || intent.commandId !== commandId) return;
      const newest = intent.sends === sendNumber && intent.answer === "waiting";
      if (!newest && result.kind !== "accepted") return;
      if (result.kind === "refused" || result.kind === "not-sent") state.turnedAway += 1;
      if (result.kind === "refused" && result.status === 401 && state.token === bearer) state.token = null;
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
   * Return true if this node still decides about the valve (NODE-5): only then may a close overtake a newer
   * opening. The store's answer may be a second old. While the store is away the close is sent anyway, and so
   * is a close that a person gave just now: nothing newer can be known.
   */
  const claimed = async (leaving: CloseIntent): Promise<boolean> => {
    const at = time.now();
    let written = await durable.writeOrRetry(steps.stepOf(leaving, []));
    if (written === "written" && time.now() - at > CLAIM_GOOD_MS)
      written = await durable.writeOrRetry(steps.stepOf(leaving, []));
    if (state.closed) return false;
    const age = time.now() - leaving.at;
    return written !== "stale" || (leaving.why === "pressed" && age >= 0 && age <= CLAIM_GOOD_MS);
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
        log.error(
          { event: "opening-not-sent", err: error, channelKey },
          "opening not sent: cannot store its end",
        );
        state.intent = { ...before, mayResend: false, reason: "store-down" };
        return;
      }
      // The write may have been slow. Never send after a newer command, nor too late.
      const now = time.now();
      if (state.commandsWaiting > 0 || state.closed || now >= openWindowEnd(before)) {
        state.intent = answered(leaving, { kind: "not-sent", message: "replaced, or too late" }, now);
        return;
      }
      const outgoing = outgoingOpen(
        before,
        { ...send, remainingSeconds: remainingSeconds(before, now) },
        bearer,
      );
      dispatch(tools, outgoing, handleResult(leaving.sends, leaving.commandId, bearer));
    },
    async close() {
      if (state.intent?.want !== "close") return;
      const sendId = state.intent.sends === 0 ? state.intent.commandId : newId();
      const leaving = sending(state.intent, sendId, time.now());
      state.intent = leaving;
      if (!(await claimed(leaving))) return;
      const outgoing = outgoingClose(leaving, sendId, state.token, state.turnedAway);
      dispatch(tools, outgoing, handleResult(leaving.sends, leaving.commandId, outgoing.token));
    },
  };
}
