import type { ValveTarget } from "@mulkko/shared/rules/valve";
import { useCallback, useRef, useState } from "react";
import { useOpenings } from "../../farm/use-openings.ts";
import type { BoxChannel, ValveBox } from "../../farm/valve-boxes.ts";
import { usePressTime } from "../../live/hooks.ts";
import { newCommandId, pressValve } from "../../rest/command.ts";
import { errorReason } from "../../rest/error-reason.ts";
import { ApiError } from "../../rest/errors.ts";
import { useRest } from "../../rest/hooks.ts";

/**
 * A press of this page, from the finger to the relay's answer: `sending` until it answered; `refused` where the
 * answer was no; `unsure` where none came that says, so that nobody knows whether the valve was told: an opening is
 * then being taken back (CMD-12). What became of it after that comes over the live stream, as on every other screen.
 */
export type Press =
  | { state: "none" }
  | { state: "sending"; target: ValveTarget; at: number }
  | { state: "refused" | "unsure"; target: ValveTarget; reason: string };

export interface PressControl {
  readonly press: Press;
  open(minutes: number): void;
  close(): void;
}

/** The valve of one channel under a finger. Give the component a `key` per channel. */
export function usePress(box: ValveBox, channel: BoxChannel, now: () => number): PressControl {
  const { client } = useRest();
  const openings = useOpenings();
  const pressTime = usePressTime();
  const [press, setPress] = useState<Press>({ state: "none" });
  // The answer to an opening may come long after another press.
  const newest = useRef("");
  const { form } = box;
  const { controllerId, number } = channel.value;
  const open = useCallback(
    async (runSeconds: number) => {
      const target = 1;
      const pressed = pressTime();
      const commandId = newCommandId();
      newest.current = commandId;
      const show = (next: Press): void => {
        if (newest.current === commandId) setPress(next);
      };
      show({ state: "sending", target, at: now() });
      const outcome = await openings.open(
        { commandId, form, controllerId, number, target, runSeconds, pressed },
        (reason) => show({ state: "unsure", target, reason }),
      );
      show(
        outcome.kind === "taken" ? { state: "none" } : { state: "refused", target, reason: outcome.reason },
      );
    },
    [openings, pressTime, form, controllerId, number, now],
  );
  const close = useCallback(async () => {
    const target = 2;
    const pressed = pressTime();
    const commandId = newCommandId();
    newest.current = commandId;
    setPress({ state: "sending", target, at: now() });
    try {
      await pressValve(client, { commandId, form, controllerId, number, target, runSeconds: null, pressed });
      setPress({ state: "none" });
    } catch (error) {
      const said = error instanceof ApiError && error.status < 500;
      setPress({ state: said ? "refused" : "unsure", target, reason: errorReason(error) });
    }
  }, [client, pressTime, form, controllerId, number, now]);
  // What the valve or another command says later is newer than the answer that stands there.
  const { onoff, command } = channel.value;
  const [heard, setHeard] = useState({ onoff, commandId: command?.id });
  if (heard.onoff !== onoff || heard.commandId !== command?.id) {
    setHeard({ onoff, commandId: command?.id });
    if (press.state !== "sending") setPress({ state: "none" });
  }
  return {
    press,
    open: (minutes) => void open(minutes * 60),
    close: () => void close(),
  };
}
