import type { ParseKeys } from "i18next";
import { useTranslation } from "react-i18next";
import type { Change } from "./changes.ts";

const NOTHING = "--";

/** Words for what a farm API has written down; what it has no words for is called by its own name. */
export function useDeedWords() {
  const { t, i18n } = useTranslation("admin-audit");
  const isKey = (key: string): key is ParseKeys<"admin-audit"> => i18n.exists(key, { ns: "admin-audit" });
  const lookup = (key: string, otherwise: string): string => (isKey(key) ? t(key) : otherwise);
  return {
    action: (action: string) => lookup(`action.${action}`, action),
    field: (field: string) => lookup(`field.${field}`, field),
    value(field: string, value: Change["before"]): string {
      if (value === null) return NOTHING;
      if (typeof value === "boolean") return t(value ? "yes" : "no");
      return field === "userType" ? lookup(`userType.${value}`, `${value}`) : `${value}`;
    },
  };
}
