import { Button, chakra, Text } from "@chakra-ui/react";
import { fleetCommandKey } from "@mulkko/shared/live/fleet-keys";
import type { CommandRecord } from "@mulkko/shared/rest/command";
import { createContext, type FormEvent, type ReactNode, useContext, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNote } from "../../components/alerts.tsx";
import { Modal } from "../../components/dialog.tsx";
import { TextField } from "../../components/field.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { usePressTime } from "../../live/hooks.ts";
import { RememberedNote } from "../valve/remembered-note.tsx";
import { useStoredCommands } from "../valve/stored-commands.ts";
import { useOutbox, useShownOnPage } from "../valve/use-outbox.ts";
import { useFleetSelection } from "./hooks.ts";

/** Maximum length of a reason, as in the call's schema. */
const REASON_MAX = 200;

/** A valve of any account. */
export interface FleetValve {
  readonly accountId: string | number;
  readonly controllerId: string | number;
  readonly channelId: string;
  /** Name with the channel's number. */
  readonly name: string;
  /** Name of the account. */
  readonly account: string;
}

/** Outcome of a close, in words: `done` has ended, `underWay` continues at the relay. */
type Outcome = "confirmed" | "underWay" | "superseded" | "failed" | "unconfirmed" | "refused";

function outcomeOf({ state }: CommandRecord): Outcome {
  switch (state) {
    case "requested":
    case "accepted":
      return "underWay";
    case "confirmed":
    case "superseded":
    case "failed":
    case "unconfirmed":
    case "refused":
      return state;
  }
}

const AskToClose = createContext<(valve: FleetValve) => void>(() => undefined);

/**
 * Provide the dialog of the close buttons within. It stays when the alarm that offered the close has ended.
 */
export function CloseValves({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<FleetValve | null>(null);
  return (
    <AskToClose value={setAsked}>
      {children}
      {asked && <CloseDialog valve={asked} onClose={() => setAsked(null)} />}
    </AskToClose>
  );
}

/** Button that closes a valve of any account, with a reason (WARN-6). There is none that opens. */
export function CloseValve({ valve }: { valve: FleetValve }) {
  const { t } = useTranslation("urgent");
  const ask = useContext(AskToClose);
  return (
    <Button
      size="sm"
      colorPalette="red"
      aria-label={t("close.openNamed", { valve: valve.name })}
      aria-haspopup="dialog"
      onClick={() => ask(valve)}
    >
      {t("close.open")}
    </Button>
  );
}

const FOLLOWED = ["alarm", "command"] as const;

/** Return what the fleet shows of a sent close later: the valve is closed, or the command has ended otherwise. */
function useLaterOutcome(
  { accountId, channelId }: FleetValve,
  commandId: string | undefined,
): Outcome | null {
  return useFleetSelection(FOLLOWED, (store) => {
    if (commandId === undefined) return null;
    const closed = [...store.all("alarm").values()].some(
      ({ account, valve }) =>
        `${account}` === `${accountId}` && valve?.channelId === channelId && valve.onoff === 2,
    );
    return closed ? "confirmed" : (store.get("command", fleetCommandKey(commandId))?.state ?? null);
  });
}

/** The stored close of this valve without an answer, or the note of its end. */
const useStoredClose = ({ accountId, channelId }: FleetValve) =>
  useStoredCommands(
    (entries) =>
      entries.find(
        (entry) =>
          entry.kind === "fleet-close" &&
          `${entry.owner}` === `${accountId}` &&
          entry.channelId === channelId,
      ) ?? null,
  );

function CloseDialog({ valve, onClose }: { valve: FleetValve; onClose: () => void }) {
  const { t } = useTranslation(["urgent", "common"]);
  const labels = useLabels();
  const outbox = useOutbox();
  const pressTime = usePressTime();
  const form = useId();
  const [reason, setReason] = useState("");
  const [tried, setTried] = useState(false);
  const [record, setRecord] = useState<CommandRecord | null>(null);
  const stored = useStoredClose(valve);
  useShownOnPage(stored ? [stored.id] : []);
  const later = useLaterOutcome(valve, record?.commandId);
  const isSending = stored !== null && stored.ended === undefined;
  const written = reason.trim();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (written === "" || isSending) return;
    if (stored) outbox.dismiss(stored.id);
    const { accountId: owner, account: ownerName, controllerId, channelId, name } = valve;
    const order = { owner, ownerName, controllerId, channelId, valve: name, reason: written };
    const outcome = await outbox.closeInFleet({ ...order, pressed: pressTime() });
    if (outcome.kind === "taken") setRecord(outcome.record ?? null);
  };
  const answered = record && outcomeOf(record);
  const outcome = answered === "underWay" || answered === "unconfirmed" ? (later ?? answered) : answered;
  return (
    <Modal
      open
      title={t("close.title", { valve: valve.name })}
      onClose={onClose}
      actions={
        outcome || isSending ? (
          <Button data-autofocus onClick={onClose}>
            {t("common:action.close")}
          </Button>
        ) : (
          <>
            <Button variant="outline" onClick={onClose}>
              {t("common:action.cancel")}
            </Button>
            <Button type="submit" form={form} colorPalette="red">
              {t("close.send")}
            </Button>
          </>
        )
      }
    >
      {outcome && (
        <Text role="status">
          {outcome === "refused" && record?.reason !== undefined
            ? `${t("close.refused")} ${labels.error(record.reason)}`
            : t(`close.${outcome}`)}
        </Text>
      )}
      {!outcome && isSending && (
        <RememberedNote entry={stored} onTakeBack={() => outbox.takeBack(stored.id)} />
      )}
      {!outcome && !isSending && (
        <>
          <Text color="fg.muted">{t("close.text", { account: valve.account })}</Text>
          <chakra.form id={form} onSubmit={(event) => void submit(event)} noValidate>
            <TextField
              label={t("close.reason")}
              hint={t("close.hint")}
              name="reason"
              required
              maxLength={REASON_MAX}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
              error={tried && written === "" ? t("close.required") : undefined}
              autoFocus
            />
          </chakra.form>
          {stored?.ended !== undefined && (
            <ErrorNote>{`${t("close.refused")} ${labels.error(stored.ended)}`}</ErrorNote>
          )}
        </>
      )}
    </Modal>
  );
}
