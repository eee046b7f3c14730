import { useTranslation } from "react-i18next";
import "./thing-title.css";

/**
 * Show an object's name (NAME-1): the name is truncated if space is missing, the channel's number is not.
 *
 * @param props.name null if the surrounding element shows it
 */
export function ThingTitle({ name, number }: { name: string | null; number?: number | undefined }) {
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
