import { Button, chakra, Text } from "@chakra-ui/react";
import { fleetCommandKey } from "@mulkko/shared/live/fleet-keys";
import type { CommandRecord, FleetCloseBody } from "@mulkko/shared/rest/command";
import { useMutation } from "@tanstack/react-query";
import { createContext, type FormEvent, type ReactNode, useContext, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { newCommandId } from "../../api/commands.ts";
import { errorReason, isUnknownOutcome } from "../../api/errors.ts";
import { closeFleetValve } from "../../api/fleet-close.ts";
import { useRest } from "../../api/hooks.ts";
import { ErrorNote } from "../../components/alerts.tsx";
import { Modal } from "../../components/dialog.tsx";
import { TextField } from "../../components/field.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { usePressTime } from "../../live/hooks.ts";
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

/** One command and its body, sent again unchanged. */
interface Attempt {
  readonly commandId: string;
  readonly body: FleetCloseBody;
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

function CloseDialog({ valve, onClose }: { valve: FleetValve; onClose: () => void }) {
  const { t } = useTranslation(["urgent", "common"]);
  const labels = useLabels();
  const { client } = useRest();
  const pressTime = usePressTime();
  const form = useId();
  const [reason, setReason] = useState("");
  const [tried, setTried] = useState(false);
  const { mutate, data, error, variables, isPending } = useMutation({
    mutationFn: ({ commandId, body }: Attempt) => closeFleetValve(client, commandId, body),
  });
  const later = useLaterOutcome(valve, data?.commandId);
  const unanswered = isUnknownOutcome(error);
  const written = reason.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (written === "" || isPending) return;
    // The same command again after no answer: one that has arrived is not sent twice (CMD-7).
    if (unanswered && variables !== undefined) return mutate(variables);
    const { accountId, controllerId, channelId } = valve;
    const pressed = pressTime();
    const pressedAt = pressed === null ? {} : { pressedAt: new Date(pressed.at).toISOString() };
    const body = { accountId, controllerId, channelId, ...pressedAt, reason: written };
    mutate({ commandId: newCommandId(), body });
  };
  const answered = data && outcomeOf(data);
  const outcome = answered === "underWay" || answered === "unconfirmed" ? (later ?? answered) : answered;
  return (
    <Modal
      open
      title={t("close.title", { valve: valve.name })}
      closable={!isPending}
      onClose={onClose}
      actions={
        outcome ? (
          <Button data-autofocus onClick={onClose}>
            {t("common:action.close")}
          </Button>
        ) : (
          <>
            <Button variant="outline" disabled={isPending} onClick={onClose}>
              {t("common:action.cancel")}
            </Button>
            <Button type="submit" form={form} colorPalette="red" loading={isPending}>
              {t(unanswered ? "close.again" : "close.send")}
            </Button>
          </>
        )
      }
    >
      {outcome ? (
        <Text role="status">
          {outcome === "refused" && data?.reason !== undefined
            ? `${t("close.refused")} ${labels.error(data.reason)}`
            : t(`close.${outcome}`)}
        </Text>
      ) : (
        <>
          <Text color="fg.muted">{t("close.text", { account: valve.account })}</Text>
          <chakra.form id={form} onSubmit={submit} noValidate>
            <TextField
              label={t("close.reason")}
              hint={t("close.hint")}
              name="reason"
              required
              maxLength={REASON_MAX}
              value={reason}
              readOnly={isPending || unanswered}
              onChange={(event) => setReason(event.target.value)}
              error={tried && written === "" ? t("close.required") : undefined}
              autoFocus
            />
          </chakra.form>
          {error !== null && (
            <ErrorNote>
              {unanswered ? t("close.noAnswer") : `${t("close.refused")} ${labels.error(errorReason(error))}`}
            </ErrorNote>
          )}
        </>
      )}
    </Modal>
  );
}
