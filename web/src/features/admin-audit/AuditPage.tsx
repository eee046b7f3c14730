import { useSearchParams } from "react-router-dom";
import { useTranslation } from "../../i18n/use-translation.ts";
import { ChoiceSegments } from "../../ui/form/choice-segments.tsx";
import { PageHeading } from "../../ui/layout/page-heading.tsx";
import { CommandList } from "./CommandList.tsx";
import { DeedList } from "./DeedList.tsx";
import { KeptOnly } from "./KeptOnly.tsx";
import "./admin-audit.css";

const LOGS = ["deeds", "commands"] as const;

/** `/adminpage/audit`: what administrators did, and with `?show=commands` what was commanded on all accounts. */
export function AuditPage() {
  const { t } = useTranslation("admin-audit");
  const [params, setParams] = useSearchParams();
  const shown = LOGS.find((log) => log === params.get("show")) ?? "deeds";
  return (
    <div className="admin-list">
      <PageHeading title={t("title")} note={t("note")} />
      <KeptOnly>
        <ChoiceSegments
          label={t("which")}
          value={shown}
          choices={LOGS.map((value) => ({ value, label: t(value) }))}
          onChoose={(log) => setParams(log === "deeds" ? {} : { show: log }, { replace: true })}
        />
        {shown === "deeds" ? <DeedList /> : <CommandList />}
      </KeptOnly>
    </div>
  );
}
