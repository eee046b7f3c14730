import { chakra } from "@chakra-ui/react";
import type { AuditEntry } from "@mulkko/shared/rest/admin";
import { DISPLAY_PAGES } from "@mulkko/shared/rest/displays";
import type { ParseKeys } from "i18next";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { type Change, changesOf, subjectAddress } from "./changes.ts";
import { Entry, useWhen } from "./PagedList.tsx";

/** One action of an administrator: user, time, action, subject and changes. */
export function AuditItem({ entry }: { entry: AuditEntry }) {
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
                  <span className="visually-hidden">{t("entry.before")} </span>
                  {texts.value(field, before)}
                </del>
              )}
              {entry.before !== null && entry.after !== null && <span aria-hidden> → </span>}
              {entry.after !== null && (
                <ins>
                  <span className="visually-hidden">{t("entry.after")} </span>
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

const NOTHING = "--";
/** Fields whose values are constants of the contract, which have translations. */
const IN_WORDS: readonly string[] = ["userType", "colorMode", "scope", "sound"];

/** Translate what a farm API has recorded; without a translation its own name is shown. */
function useAuditTexts() {
  const { t, i18n } = useTranslation(["admin-audit", "displays"]);
  const isKey = (key: string): key is ParseKeys<"admin-audit"> => i18n.exists(key, { ns: "admin-audit" });
  const lookup = (key: string, otherwise: string): string => (isKey(key) ? t(key) : otherwise);
  const pageName = (page: string): string => {
    const known = DISPLAY_PAGES.find((one) => one === page);
    return known === undefined ? page : t(`displays:page.${known}`);
  };
  return {
    action: (action: string) => lookup(`action.${action}`, action),
    field: (field: string) => lookup(`field.${field}`, field),
    value(field: string, value: Change["before"]): string {
      if (value === null) return NOTHING;
      if (typeof value === "boolean") return t(value ? "yes" : "no");
      if (field === "pages") return `${value}`.split(", ").map(pageName).join(", ");
      return IN_WORDS.includes(field) ? lookup(`${field}.${value}`, `${value}`) : `${value}`;
    },
  };
}
