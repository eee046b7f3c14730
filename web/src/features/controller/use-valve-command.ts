import type { ValveTarget } from "@mulkko/shared/rules/valve";
import { useRef, useState } from "react";
import { newCommandId, sendValveCommand } from "../../api/commands.ts";
import { ApiError, errorReason } from "../../api/errors.ts";
import { useRest } from "../../api/hooks.ts";
import { useOpenings } from "../../domain/valve/openings.ts";
import type { UnitChannel, ValveUnit } from "../../domain/valve/valve-units.ts";
import { usePressTime, useServerNow } from "../../live/hooks.ts";

/**
 * Command of this page, from the click to the relay's answer. `sending`: no answer yet. `refused`: the relay
 * refused it. `unsure`: no conclusive answer, so the valve may have been commanded; an opening is then
 * revoked (CMD-12). Later states come from the live stream, as on every other screen.
 */
export type SentCommand =
  | { state: "none" }
  | { state: "sending"; target: ValveTarget; at: number }
  | { state: "refused" | "unsure"; target: ValveTarget; reason: string };

/** Control the valve of one channel. Give the component a `key` per channel. */
export function useValveCommand(unit: ValveUnit, channel: UnitChannel) {
  const { client } = useRest();
  const openings = useOpenings();
  const pressTime = usePressTime();
  const now = useServerNow();
  const [sent, setSent] = useState<SentCommand>({ state: "none" });
  // The answer to an opening can arrive after a later command.
  const newest = useRef("");
  const begin = (target: ValveTarget) => {
    const { controllerId, number } = channel.value;
    const command = { form: unit.form, controllerId, number, target, pressed: pressTime() };
    const commandId = newCommandId();
    newest.current = commandId;
    setSent({ state: "sending", target, at: now() });
    return { ...command, commandId };
  };
  const open = async (runSeconds: number) => {
    const command = begin(1);
    const { target, commandId } = command;
    const show = (next: SentCommand): void => {
      if (newest.current === commandId) setSent(next);
    };
    const outcome = await openings.open({ ...command, runSeconds }, (reason) =>
      show({ state: "unsure", target, reason }),
    );
    show(outcome.kind === "taken" ? { state: "none" } : { state: "refused", target, reason: outcome.reason });
  };
  const close = async () => {
    const command = begin(2);
    try {
      await sendValveCommand(client, { ...command, runSeconds: null });
      setSent({ state: "none" });
    } catch (error) {
      const isRefusal = error instanceof ApiError && error.status < 500;
      const { target } = command;
      setSent({ state: isRefusal ? "refused" : "unsure", target, reason: errorReason(error) });
    }
  };
  // A later report or command replaces the displayed answer.
  const { onoff, command } = channel.value;
  const [seen, setSeen] = useState({ onoff, commandId: command?.id });
  if (seen.onoff !== onoff || seen.commandId !== command?.id) {
    setSeen({ onoff, commandId: command?.id });
    if (sent.state !== "sending") setSent({ state: "none" });
  }
  return { sent, open: (minutes: number) => void open(minutes * 60), close: () => void close() };
}
