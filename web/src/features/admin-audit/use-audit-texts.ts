import { DISPLAY_PAGES } from "@mulkko/shared/rest/displays";
import type { ParseKeys } from "i18next";
import { useTranslation } from "react-i18next";
import type { Change } from "./changes.ts";

const NOTHING = "--";
/** Fields whose values are constants of the contract, which have translations. */
const IN_WORDS: readonly string[] = ["userType", "colorMode", "scope", "sound"];

/** Translate what a farm API has recorded; without a translation its own name is shown. */
export function useAuditTexts() {
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
