import type { AuditEntry } from "@mulkko/shared/rest/admin";
import { Link } from "react-router-dom";
import { useTranslation } from "../../i18n/use-translation.ts";
import { DEEDS } from "../../rest/audit.ts";
import { useListAddress } from "../../ui/table/use-list-address.ts";
import { changesOf, subjectAddress } from "./changes.ts";
import { Filters } from "./Filters.tsx";
import { PagedList } from "./PagedList.tsx";
import { useDeedWords } from "./use-deed-words.ts";
import { useLog } from "./use-log.ts";
import { useWhen } from "./use-when.ts";

const KINDS = ["user", "sensor", "controller", "display", "import", "farm-api"] as const;

/** What administrators did: who, when, what, to whom, and what it changed. */
export function DeedList() {
  const { t } = useTranslation("admin-audit");
  const address = useListAddress(20);
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
        {(deed) => <Deed deed={deed} />}
      </PagedList>
    </>
  );
}

function Deed({ deed }: { deed: AuditEntry }) {
  const { t } = useTranslation("admin-audit");
  const when = useWhen();
  const words = useDeedWords();
  const to = subjectAddress(deed);
  const name = deed.subjectName || deed.subjectId;
  return (
    <article className="admin-entry">
      <p className="admin-entry__head">
        <strong>{words.action(deed.action)}</strong>
        {name !== "" && (to === null ? <span>{name}</span> : <Link to={to}>{name}</Link>)}
      </p>
      <p className="admin-entry__about">
        <span>{deed.actorName}</span>
        <time>{when(deed.createdDate)}</time>
      </p>
      <dl className="admin-entry__changes">
        {changesOf(deed).map(({ field, before, after }) => (
          <div key={field}>
            <dt>{words.field(field)}</dt>
            <dd>
              {deed.before !== null && (
                <del>
                  <span className="visually-hidden">{t("deed.before")} </span>
                  {words.value(field, before)}
                </del>
              )}
              {deed.before !== null && deed.after !== null && <span aria-hidden> → </span>}
              {deed.after !== null && (
                <ins>
                  <span className="visually-hidden">{t("deed.after")} </span>
                  {words.value(field, after)}
                </ins>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </article>
  );
}
