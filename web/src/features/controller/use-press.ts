import type { ValveTarget } from "@mulkko/shared/rules/valve";
import { useCallback, useState } from "react";
import type { BoxChannel, ValveBox } from "../../farm/valve-boxes.ts";
import { newCommandId, pressValve } from "../../rest/command.ts";
import { errorReason } from "../../rest/error-reason.ts";
import { ApiError } from "../../rest/errors.ts";
import { useRest } from "../../rest/hooks.ts";

/**
 * A press of this page, from the finger to the relay's answer: `sending` until it answered; `refused` where the
 * answer was no; `unsure` where none came that says, so that nobody knows whether the valve was told. What became
 * of it after that comes over the live stream, as on every other screen.
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
  const [press, setPress] = useState<Press>({ state: "none" });
  const send = useCallback(
    async (target: ValveTarget, runSeconds: number | null) => {
      setPress({ state: "sending", target, at: now() });
      try {
        await pressValve(client, {
          commandId: newCommandId(),
          form: box.form,
          controllerId: channel.value.controllerId,
          number: channel.value.number,
          target,
          runSeconds,
        });
        setPress({ state: "none" });
      } catch (error) {
        const said = error instanceof ApiError && error.status < 500;
        setPress({ state: said ? "refused" : "unsure", target, reason: errorReason(error) });
      }
    },
    [client, box.form, channel.value.controllerId, channel.value.number, now],
  );
  // What the valve or another command says later is newer than the answer that stands there.
  const { onoff, command } = channel.value;
  const [heard, setHeard] = useState({ onoff, commandId: command?.id });
  if (heard.onoff !== onoff || heard.commandId !== command?.id) {
    setHeard({ onoff, commandId: command?.id });
    if (press.state !== "sending") setPress({ state: "none" });
  }
  return {
    press,
    open: (minutes) => void send(1, minutes * 60),
    close: () => void send(2, null),
  };
}
