import { useTranslation } from "react-i18next";
import "./thing-title.css";

export interface ThingTitleProps {
  /** Null if the surrounding element shows the name. */
  name: string | null;
  /** Channel number. */
  number?: number | undefined;
}

/** Show an object's name (NAME-1): the name is truncated if space is missing, the channel's number is not. */
export function ThingTitle({ name, number }: ThingTitleProps) {
  const { t } = useTranslation("common");
  return (
    <span className="thing-title" data-testid="thing-title">
      {name !== null && <span className="thing-title__name">{name}</span>}
      {number !== undefined && (
        <span className="thing-title__channel" data-testid="thing-title-channel">
          {name !== null && " "}
          {t("valve.channel", { number })}
        </span>
      )}
    </span>
  );
}
