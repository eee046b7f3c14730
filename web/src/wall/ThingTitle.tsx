import type { Thing } from "../farm/use-names.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import "./thing-title.css";

/** What something is called. Of a channel its number stands, however little of its box's name has room. */
export function ThingTitle({ name, number }: Pick<Thing, "name" | "number">) {
  const { t } = useTranslation("common");
  return (
    <span className="thing-title">
      <span className="thing-title__name">{name}</span>
      {number !== undefined && (
        <span className="thing-title__channel"> {t("valve.channel", { number })}</span>
      )}
    </span>
  );
}
