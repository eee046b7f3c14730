import type { ValveTarget } from "@mulkko/shared/rules/valve";
import { useRef, useState } from "react";
import { newCommandId } from "../../api/commands.ts";
import type { OutboxEntry } from "../../domain/valve/outbox-entry.ts";
import { useStoredCommands } from "../../domain/valve/stored-commands.ts";
import { useOutbox, useShownOnPage } from "../../domain/valve/use-outbox.ts";
import type { UnitChannel, ValveUnit } from "../../domain/valve/valve-units.ts";
import { usePressTime } from "../../live/hooks.ts";

/**
 * Newest command of this browser to the channel, from the press to the relay's answer. `sending`: no answer
 * yet; a close is sent until there is one. `unsure`: an opening without an answer, which is revoked (CMD-12).
 * `refused`: it will not be carried out. Later states come from the live stream, as on every other screen.
 */
export type SentCommand =
  | { readonly state: "none" }
  | { readonly state: "sending"; readonly target: ValveTarget; readonly at: number; readonly id: string }
  | { readonly state: "unsure"; readonly target: 1; readonly at: number; readonly reason: string | null }
  | {
      readonly state: "refused";
      readonly target: ValveTarget;
      readonly reason: string;
      /** Stored note to dismiss; null for a refusal of this page. */
      readonly id: string | null;
    };

type ValveEntry = Extract<OutboxEntry, { kind: "open" | "close" }>;

const isOfValve = (entry: OutboxEntry, { value }: UnitChannel): entry is ValveEntry =>
  (entry.kind === "open" || entry.kind === "close") &&
  `${entry.controllerId}` === `${value.controllerId}` &&
  entry.number === value.number;

/** Return the state of a stored command; its time is on this machine's clock. */
function sentOf(entry: ValveEntry, reason: string | null): SentCommand {
  const { id, at, ended } = entry;
  if (entry.kind === "open" && entry.givenUp) return { state: "unsure", target: 1, at, reason };
  const target = entry.kind === "open" ? 1 : 2;
  return ended === undefined
    ? { state: "sending", target, at, id }
    : { state: "refused", target, reason: ended, id };
}

/** Control the valve of one channel. Give the component a `key` per channel. */
export function useValveCommand(unit: ValveUnit, channel: UnitChannel) {
  const outbox = useOutbox();
  const pressTime = usePressTime();
  const stored = useStoredCommands((entries) => entries.filter((entry) => isOfValve(entry, channel)));
  useShownOnPage(stored.map(({ id }) => id));
  const [refused, setRefused] = useState<Extract<SentCommand, { state: "refused" }> | null>(null);
  const [unsure, setUnsure] = useState<string | null>(null);
  // The answer to an opening can arrive after a later command.
  const newestId = useRef("");
  const begin = () => {
    const { controllerId, number } = channel.value;
    const commandId = newCommandId();
    newestId.current = commandId;
    setRefused(null);
    setUnsure(null);
    return { form: unit.form, controllerId, number, pressed: pressTime(), commandId };
  };
  const open = async (runSeconds: number) => {
    const command = begin();
    const isNewest = () => newestId.current === command.commandId;
    const outcome = await outbox.open({ ...command, target: 1, runSeconds }, (reason) => {
      if (isNewest()) setUnsure(reason);
    });
    if (!isNewest() || outcome.kind !== "refused") return;
    setRefused({ state: "refused", target: 1, reason: outcome.reason, id: null });
  };
  const close = () => {
    const name = { channelId: channel.id, name: channel.name };
    // Its outcome is drawn from the stored entry.
    void outbox.close(begin(), name);
  };
  // A later report or command replaces the displayed answer.
  const { onoff, command } = channel.value;
  const [seen, setSeen] = useState({ onoff, commandId: command?.id });
  if (seen.onoff !== onoff || seen.commandId !== command?.id) {
    setSeen({ onoff, commandId: command?.id });
    setRefused(null);
  }
  const newest = stored.at(-1);
  const sent: SentCommand = newest ? sentOf(newest, unsure) : (refused ?? { state: "none" });
  return {
    sent,
    open: (minutes: number) => void open(minutes * 60),
    close,
    /** Take a close back that has no answer, or dismiss its note. */
    takeBack: (id: string) => outbox.takeBack(id),
  };
}
