import { worseQuality } from "@mulkko/shared/rules/quality";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import type { AccountEntry } from "../../domain/fleet/board.ts";
import { stateOf } from "../../domain/fleet/device-state.ts";
import { StateMark } from "../../domain/fleet/StateMark.tsx";
import { useLinkQuality } from "../../live/hooks.ts";

type BoardHeadingProps = Omit<AccountEntry, "kind" | "id">;

/**
 * Heading of an account's devices: its worst state, its name, and the numbers of all and of silent devices.
 */
export const BoardHeading = memo(function BoardHeading(props: BoardHeadingProps) {
  const { username, worst, shown, offline, lost, late } = props;
  const { t } = useTranslation("fleet");
  const state = stateOf(worseQuality(worst === "never" ? null : worst, useLinkQuality()));
  const silent = [
    offline > 0 ? `${t("state.offline")} ${offline}` : null,
    lost > 0 ? `${t("state.lost")} ${lost}` : null,
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
