import { memo } from "react";
import type { AccountEntry } from "../../fleet/board.ts";
import { stateOf } from "../../fleet/device-state.ts";
import { StateMark } from "../../fleet/StateMark.tsx";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useShownQuality } from "../../live/hooks.ts";

type BoardHeadingProps = Omit<AccountEntry, "kind" | "id">;

/** An account over its devices: its worst state, its name, how many it has and how many of them are silent. */
export const BoardHeading = memo(function BoardHeading(props: BoardHeadingProps) {
  const { username, worst, shown, offline, late } = props;
  const { t } = useTranslation("fleet");
  const state = stateOf(useShownQuality(worst === "never" ? null : worst));
  const silent = [
    offline > 0 ? `${t("state.offline")} ${offline}` : null,
    late > 0 ? `${t("state.late")} ${late}` : null,
  ].filter((part) => part !== null);
  return (
    <h2 className="board-heading" title={username ?? undefined}>
      <StateMark state={state} />
      <span className="board-heading__name">{username ?? t("noAccount")}</span>
      <span className="board-heading__silent">{silent.join(" · ")}</span>
      <span className="board-heading__count">{t("accountCount", { count: shown })}</span>
    </h2>
  );
});
