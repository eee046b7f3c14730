import type { Display } from "@mulkko/shared/rest/displays";
import { OverflowMenu } from "../../components/menu.tsx";
import { useTimeWords } from "../../farm/use-time-words.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useAccount } from "../../rest/hooks.ts";

interface DisplayRowProps {
  readonly display: Display;
  readonly farmNames: ReadonlyMap<string, string>;
  readonly onChange: () => void;
  readonly onRevoke: () => void;
}

/** One display with its name, connection and content. */
export function DisplayRow({ display, farmNames, onChange, onRevoke }: DisplayRowProps) {
  const { t } = useTranslation("displays");
  const times = useTimeWords();
  const account = useAccount();
  const { settings, connected, lastSeenAt } = display;
  const { name, farms, pages, scope } = settings;
  // Displays of another account are listed below that account's name.
  const Name = String(display.account) === String(account.id) ? "h3" : "h4";
  const seen = connected
    ? t("row.connected")
    : lastSeenAt === null
      ? t("row.never")
      : t("row.seen", { time: times.dayTime(Date.parse(lastSeenAt)) });
  const shown =
    farms === null
      ? t("field.allFarms")
      : farms.map((id) => farmNames.get(String(id)) ?? t("row.farm", { id: String(id) })).join(", ");
  return (
    <li className="displays__row" data-testid="display-row">
      <div className="displays__row-text">
        <Name>{name}</Name>
        <p className="displays__state" data-connected={connected || undefined}>
          {seen}
        </p>
        <p className="displays__note">{shown}</p>
        <p className="displays__note">
          {pages.map((page) => t(`page.${page}`)).join(" · ")}
          {scope === "ack" && ` · ${t("row.acks")}`}
        </p>
      </div>
      <OverflowMenu
        label={t("row.more", { name })}
        actions={[
          { key: "change", label: t("row.change"), onChoose: onChange },
          { key: "revoke", label: t("row.revoke"), danger: true, onChoose: onRevoke },
        ]}
      />
    </li>
  );
}
