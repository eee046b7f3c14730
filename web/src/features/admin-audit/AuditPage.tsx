import { Text } from "@chakra-ui/react";
import type { CommandEntry, OutboxEntry, SignInEntry } from "@mulkko/shared/rest/admin";
import { VALVE_OFF, VALVE_ON } from "@mulkko/shared/rules/valve";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router-dom";
import { AUDIT_ENTRIES, COMMANDS, MAILS, SIGN_INS } from "../../api/admin.ts";
import { useExtension } from "../../api/extensions.ts";
import { ChoiceSegments } from "../../components/choice.tsx";
import { PageHeading } from "../../components/page-heading.tsx";
import { deviceName } from "../../domain/account/signed-in-device.ts";
import { ListPage } from "../../domain/admin-list/ListTools.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { AuditItem } from "./AuditItem.tsx";
import { Entry, KeptOnly, Outcome, PagedList, useWhen } from "./PagedList.tsx";

const SIGN_IN_OUTCOMES = [
  "signed-in",
  "wrong-password",
  "unknown-name",
  "disabled",
] as const satisfies readonly SignInEntry["outcome"][];

/** One successful or failed sign-in: account, address and browser. */
function SignIn({ signIn }: { signIn: SignInEntry }) {
  const { t } = useTranslation("admin-audit");
  const when = useWhen();
  const { userId, username, outcome, attempts, address, userAgent } = signIn;
  return (
    <Entry
      head={
        <>
          <strong>
            {userId === null ? (
              username || t("signIn.unknown")
            ) : (
              <Link to={`/adminpage/user?${new URLSearchParams({ id: `${userId}` })}`}>{username}</Link>
            )}
          </strong>
          <span>{address}</span>
        </>
      }
      about={
        <>
          <span title={userAgent}>{deviceName(userAgent) || userAgent}</span>
          <time>{when(signIn.createdDate)}</time>
        </>
      }
    >
      <Outcome kind={outcome === "signed-in" ? "confirmed" : "refused"}>
        {t(`signIn.outcome.${outcome}`)}
        {attempts > 1 && ` · ${t("signIn.attempts", { count: attempts })}`}
      </Outcome>
    </Entry>
  );
}

const RESULTS = {
  sent: "confirmed",
  waiting: "taken",
  kept: "taken",
  failed: "refused",
} as const satisfies Record<OutboxEntry["state"], string>;

/** One mail to a user. Without a mail server it is read here, such as the link of a password reset. */
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
      <Outcome kind={RESULTS[state]}>
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

/** One command of any account: user, valve and result. */
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
      <Outcome kind={outcome === "stored" ? "confirmed" : outcome}>
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

const KINDS = ["user", "sensor", "controller", "display", "import", "farm-api"] as const;

const LOGS = ["actions", "commands", "sign-ins", "mails"] as const;

/** Pass the log as `key` too, so that no log shows the rows of another one. */
function LogList({ log }: { log: (typeof LOGS)[number] }) {
  const { t } = useTranslation("admin-audit");
  switch (log) {
    case "actions":
      return (
        <PagedList
          label={t(log)}
          list={AUDIT_ENTRIES}
          filters={{
            search: t("entry.search"),
            name: "kind",
            label: t("filter.kind"),
            options: KINDS.map((value) => ({ value, label: t(`kind.${value}`) })),
          }}
          none={t("entry.none")}
        >
          {(entry) => <AuditItem key={entry.id} entry={entry} />}
        </PagedList>
      );
    case "commands":
      return (
        <PagedList
          label={t(log)}
          list={COMMANDS}
          filters={{
            search: t("command.search"),
            name: "outcome",
            label: t("filter.outcome"),
            options: OUTCOMES.map((value) => ({ value, label: t(`outcome.${value}`) })),
          }}
          none={t("command.none")}
        >
          {(command) => <Command key={command.id} command={command} />}
        </PagedList>
      );
    case "sign-ins":
      return (
        <PagedList
          label={t(log)}
          list={SIGN_INS}
          filters={{
            search: t("signIn.search"),
            name: "outcome",
            label: t("filter.outcome"),
            options: SIGN_IN_OUTCOMES.map((value) => ({ value, label: t(`signIn.outcome.${value}`) })),
          }}
          none={t("signIn.none")}
        >
          {(signIn) => <SignIn key={signIn.id} signIn={signIn} />}
        </PagedList>
      );
    case "mails":
      return (
        <PagedList label={t(log)} list={MAILS} none={t("mail.none")}>
          {(mail) => <Mail key={mail.id} mail={mail} />}
        </PagedList>
      );
  }
}

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
        <LogList key={shown} log={shown} />
      </KeptOnly>
    </ListPage>
  );
}
