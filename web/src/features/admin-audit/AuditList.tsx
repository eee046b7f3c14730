import { chakra } from "@chakra-ui/react";
import type { AuditEntry } from "@mulkko/shared/rest/admin";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { DEEDS } from "../../api/admin.ts";
import { useListAddress } from "../../components/table-address.ts";
import { changesOf, subjectAddress } from "./changes.ts";
import { Filters } from "./Filters.tsx";
import { Entry, PagedList } from "./PagedList.tsx";
import { useAuditTexts } from "./use-audit-texts.ts";
import { useLog } from "./use-log.ts";
import { useWhen } from "./use-when.ts";

const KINDS = ["user", "sensor", "controller", "display", "import", "farm-api"] as const;

/** List actions of administrators: user, time, action, subject and changes. */
export function AuditList() {
  const { t } = useTranslation("admin-audit");
  const address = useListAddress();
  const list = useLog(DEEDS, address, "kind");
  return (
    <>
      <Filters
        address={address}
        search={t("deed.search")}
        choice={{
          name: "kind",
          label: t("filter.kind"),
          options: KINDS.map((value) => ({ value, label: t(`kind.${value}`) })),
        }}
      />
      <PagedList
        label={t("deeds")}
        list={list}
        address={address}
        none={t("deed.none")}
        keyOf={({ id }) => id}
      >
        {(entry) => <AuditItem entry={entry} />}
      </PagedList>
    </>
  );
}

function AuditItem({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation("admin-audit");
  const when = useWhen();
  const texts = useAuditTexts();
  const to = subjectAddress(entry);
  const name = entry.subjectName || entry.subjectId;
  return (
    <Entry
      head={
        <>
          <strong>{texts.action(entry.action)}</strong>
          {name !== "" && (to === null ? <span>{name}</span> : <Link to={to}>{name}</Link>)}
        </>
      }
      about={
        <>
          <span>{entry.actorName}</span>
          <time>{when(entry.createdDate)}</time>
        </>
      }
    >
      <chakra.dl
        css={{
          "&:empty": { display: "none" },
          "& > div": {
            display: "grid",
            gridTemplateColumns: "9rem minmax(0, 1fr)",
            gap: "3",
            fontSize: "label",
          },
          "& dt": { color: "fg.muted" },
          "& dd": { overflowWrap: "anywhere" },
          "& del": { color: "fg.muted" },
          "& ins": { fontWeight: "semibold", textDecoration: "none" },
          mdDown: { "& > div": { gridTemplateColumns: "6.5rem minmax(0, 1fr)" } },
        }}
      >
        {changesOf(entry).map(({ field, before, after }) => (
          <div key={field}>
            <dt>{texts.field(field)}</dt>
            <dd>
              {entry.before !== null && (
                <del>
                  <span className="visually-hidden">{t("deed.before")} </span>
                  {texts.value(field, before)}
                </del>
              )}
              {entry.before !== null && entry.after !== null && <span aria-hidden> → </span>}
              {entry.after !== null && (
                <ins>
                  <span className="visually-hidden">{t("deed.after")} </span>
                  {texts.value(field, after)}
                </ins>
              )}
            </dd>
          </div>
        ))}
      </chakra.dl>
    </Entry>
  );
}
