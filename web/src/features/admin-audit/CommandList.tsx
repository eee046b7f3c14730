import type { CommandEntry } from "@mulkko/shared/rest/admin";
import { VALVE_OFF, VALVE_ON } from "@mulkko/shared/rules/valve";
import { CheckIcon, ClockIcon, TriangleAlertIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { COMMANDS } from "../../api/admin.ts";
import { useListAddress } from "../../components/table-address.ts";
import { useLabels } from "../../i18n/labels.ts";
import { Filters } from "./Filters.tsx";
import { Entry, Outcome, PagedList, useWhen } from "./PagedList.tsx";
import { useLog } from "./use-log.ts";

const OUTCOMES = [
  "refused",
  "taken",
  "confirmed",
  "stored",
] as const satisfies readonly CommandEntry["outcome"][];

/** List commands of all accounts: user, valve and result. */
export function CommandList() {
  const { t } = useTranslation("admin-audit");
  const address = useListAddress();
  const list = useLog(COMMANDS, address, "outcome");
  return (
    <>
      <Filters
        address={address}
        search={t("command.search")}
        choice={{
          name: "outcome",
          label: t("filter.outcome"),
          options: OUTCOMES.map((value) => ({ value, label: t(`outcome.${value}`) })),
        }}
      />
      <PagedList label={t("commands")} list={list} address={address} none={t("command.none")}>
        {(command) => <Command command={command} />}
      </PagedList>
    </>
  );
}

const MARKS = {
  refused: <TriangleAlertIcon size={18} />,
  taken: <ClockIcon size={18} />,
  confirmed: <CheckIcon size={18} />,
  stored: <CheckIcon size={18} />,
} as const satisfies Record<CommandEntry["outcome"], unknown>;

function Command({ command }: { command: CommandEntry }) {
  const { t } = useTranslation("admin-audit");
  const labels = useLabels();
  const when = useWhen();
  const { outcome, reason, confirmedDate, actorName, username, byRelay } = command;
  const what = useCommandName(command);
  return (
    <Entry
      head={
        <>
          <strong>{what}</strong>
          <span>{t("command.channel", { device: command.deviceName, number: command.channelNumber })}</span>
        </>
      }
      about={
        <>
          <span>{byRelay ? t("command.byRelay", { name: actorName }) : actorName}</span>
          {username !== actorName && <span>{t("command.owner", { name: username })}</span>}
          <time>{when(command.createdDate)}</time>
        </>
      }
    >
      <Outcome kind={outcome === "stored" ? "confirmed" : outcome} icon={MARKS[outcome]}>
        {t(`outcome.${outcome}`)}
        {reason !== null && ` · ${labels.error(reason)}`}
        {confirmedDate !== null && ` · ${when(confirmedDate)}`}
      </Outcome>
    </Entry>
  );
}

/** Return the translated command, or the raw name of an unknown one. */
function useCommandName({ command, payload }: CommandEntry): string {
  const { t } = useTranslation("admin-audit");
  if (command === "onoff" && Number(payload) === VALVE_ON) return t("command.open");
  if (command === "onoff" && Number(payload) === VALVE_OFF) return t("command.close");
  const [mode, what] = command.split("/");
  const isMode = mode === "automatic" || mode === "reservation" || mode === "period";
  if (isMode && what === "reset") return t("command.reset", { mode: t(`mode.${mode}`) });
  return isMode ? t("command.setting", { mode: t(`mode.${mode}`), value: payload }) : `${command} ${payload}`;
}
