import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router-dom";
import { useExtension } from "../../api/extensions.ts";
import { ChoiceSegments } from "../../components/choice.tsx";
import { PageHeading } from "../../components/page-heading.tsx";
import { ListPage } from "../../domain/admin-list/ListTools.tsx";
import { AuditList } from "./AuditList.tsx";
import { CommandList } from "./CommandList.tsx";
import { MailList } from "./MailList.tsx";
import { KeptOnly } from "./PagedList.tsx";
import { SignInList } from "./SignInList.tsx";

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
