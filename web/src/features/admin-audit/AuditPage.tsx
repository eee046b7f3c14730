import { Text } from "@chakra-ui/react";
import type { CommandEntry, OutboxEntry } from "@mulkko/shared/rest/admin";
import { VALVE_OFF, VALVE_ON } from "@mulkko/shared/rules/valve";
import { CheckIcon, ClockIcon, TriangleAlertIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router-dom";
import { COMMANDS, MAILS } from "../../api/admin.ts";
import { useExtension } from "../../api/extensions.ts";
import { useListed } from "../../api/listed.ts";
import { ChoiceSegments } from "../../components/choice.tsx";
import { PageHeading } from "../../components/page-heading.tsx";
import { useListAddress } from "../../components/table-address.ts";
import { ListPage } from "../../domain/admin-list/ListTools.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { AuditList } from "./AuditList.tsx";
import { Filters, useLog } from "./Filters.tsx";
import { Entry, KeptOnly, Outcome, PagedList, useWhen } from "./PagedList.tsx";
import { SignInList } from "./SignInList.tsx";

/** List mails to users. Without a mail server they are read here, such as the link of a password reset. */
function MailList() {
  const { t } = useTranslation("admin-audit");
  const address = useListAddress();
  const { page, size } = address;
  const list = useListed(MAILS, { page, size, text: "", sort: null });
  return (
    <PagedList label={t("mails")} list={list} address={address} none={t("mail.none")}>
      {(mail) => <Mail mail={mail} />}
    </PagedList>
  );
}

const RESULTS = {
  sent: { kind: "confirmed", icon: <CheckIcon size={18} /> },
  waiting: { kind: "taken", icon: <ClockIcon size={18} /> },
  kept: { kind: "taken", icon: <ClockIcon size={18} /> },
  failed: { kind: "refused", icon: <TriangleAlertIcon size={18} /> },
} as const satisfies Record<OutboxEntry["state"], object>;

function Mail({ mail }: { mail: OutboxEntry }) {
  const { t } = useTranslation("admin-audit");
  const when = useWhen();
  const { subject, recipient, body, state, error } = mail;
  return (
    <Entry
      head={
        <>
          <strong>{subject}</strong>
          <span>{recipient}</span>
        </>
      }
      about={<time>{when(mail.createdDate)}</time>}
    >
      <Outcome {...RESULTS[state]}>
        {t(`mail.state.${state}`)}
        {error !== null && ` · ${error}`}
      </Outcome>
      {body !== "" && (
        <Text
          maxW="48rem"
          mt="1"
          p="3"
          rounded="md"
          bg="bg.sunk"
          whiteSpace="pre-wrap"
          overflowWrap="anywhere"
          fontSize="label"
        >
          {body}
        </Text>
      )}
    </Entry>
  );
}

const OUTCOMES = [
  "refused",
  "taken",
  "confirmed",
  "stored",
] as const satisfies readonly CommandEntry["outcome"][];

/** List commands of all accounts: user, valve and result. */
function CommandList() {
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

const LOGS = ["actions", "commands", "sign-ins", "mails"] as const;
const LISTS = { actions: AuditList, commands: CommandList, "sign-ins": SignInList, mails: MailList };

/**
 * `/adminpage/audit`: actions of administrators; with `?show=commands` the commands of all accounts, with
 * `?show=sign-ins` successful and failed sign-ins, with `?show=mails` the mails to users.
 */
export function AuditPage() {
  const { t } = useTranslation("admin-audit");
  const [params, setParams] = useSearchParams();
  const keepsSignIns = useExtension("sign-ins");
  const logs = LOGS.filter((log) => log !== "sign-ins" || keepsSignIns);
  const shown = logs.find((log) => log === params.get("show")) ?? "actions";
  const List = LISTS[shown];
  return (
    <ListPage>
      <PageHeading title={t("title")} note={t("note")} />
      <KeptOnly>
        <ChoiceSegments
          label={t("which")}
          value={shown}
          choices={logs.map((value) => ({ value, label: t(value) }))}
          onChoose={(log) => setParams(log === "actions" ? {} : { show: log }, { replace: true })}
        />
        <List />
      </KeptOnly>
    </ListPage>
  );
}
