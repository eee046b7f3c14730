import { useTranslation } from "../../i18n/use-translation.ts";
import "./thing-title.css";

export interface ThingTitleProps {
  /** Null where what stands around it names it already. */
  name: string | null;
  /** Of a channel. */
  number?: number | undefined;
}

/** Show what a thing is called (NAME-1): the name is cut where it has no room, a channel's number after it never is. */
export function ThingTitle({ name, number }: ThingTitleProps) {
  const { t } = useTranslation("common");
  return (
    <span className="thing-title">
      {name !== null && <span className="thing-title__name">{name}</span>}
      {number !== undefined && (
        <span className="thing-title__channel">
          {name !== null && " "}
          {t("valve.channel", { number })}
        </span>
      )}
    </span>
  );
}
