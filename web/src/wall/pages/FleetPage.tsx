import { worseQuality } from "@mulkko/shared/rules/quality";
import { type CSSProperties, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { stateOf } from "../../domain/fleet/device-state.ts";
import { useLoadingWords } from "../../domain/fleet/fleet-words.ts";
import { useFleet, useFleetStatus } from "../../domain/fleet/hooks.ts";
import { StateShape } from "../../domain/fleet/StateMark.tsx";
import { useLinkQuality } from "../../live/hooks.ts";
import { useElementSize } from "../use-viewport.ts";
import { useTellWaiting } from "../waiting.ts";
import { useWall } from "../wall-context.ts";
import { Empty } from "./Empty.tsx";
import { FleetCounts } from "./FleetCounts.tsx";
import { FleetLine } from "./FleetLine.tsx";
import { type FleetColumn, fleetColumns, type PlacedColumn } from "./fleet-columns.ts";
import type { FleetGroup } from "./fleet-rows.ts";
import { useFleetRows } from "./use-fleet-rows.ts";
import type { WallPageProps } from "./wall-page.ts";
import "./fleet-page.css";

/** Heights as in the style sheet, px of the drawn screen: a line, and the counts and headings above. */
const LINE_PX = 46;
const ABOVE_PX = { wide: 138, tight: 56 } as const;

/** Show all accounts' devices on an administrator's screen, worst first. */
export default function FleetPage({ lap }: WallPageProps) {
  useFleet();
  const { factor, tight } = useWall();
  const [ref, size] = useElementSize<HTMLDivElement>();
  const above = ABOVE_PX[tight ? "tight" : "wide"];
  return (
    <div className="wall-fleet" ref={ref}>
      {size && (
        <Board
          lines={Math.max(2, Math.floor((size.height / factor - above) / LINE_PX))}
          width={size.width / factor}
          lap={lap}
        />
      )}
    </div>
  );
}

interface BoardProps {
  readonly lines: number;
  /** Px of the drawn screen. */
  readonly width: number;
  readonly lap: number;
}

function Board({ lines, width, lap }: BoardProps) {
  const { t } = useTranslation("wall");
  const { tight } = useWall();
  const status = useFleetStatus();
  const loading = useLoadingWords();
  const { groups, waiting } = useFleetRows(lines, lap);
  const columns = useMemo(() => fleetColumns(width), [width]);
  useTellWaiting(waiting);
  if (status.state === "refused")
    return (
      <p className="wall-empty" data-testid="wall-empty">
        {t("fleet.refused")}
      </p>
    );
  // The screen cannot scroll: it must not show a part as if it were the whole.
  if (loading !== null && groups.length > 0) return <Empty>{loading}</Empty>;
  if (groups.length === 0) return <Empty>{t(status.state === "here" ? "fleet.none" : "fleet.asking")}</Empty>;
  return (
    <>
      <FleetCounts />
      <table className="wall-fleet__board" aria-label={t("page.fleet")}>
        <colgroup>
          {columns.map(({ column, width: own }) => {
            const style: CSSProperties = own === null ? {} : { width: `calc(${own}px * var(--wall-k))` };
            return <col key={column} style={style} />;
          })}
        </colgroup>
        <thead className={tight ? "visually-hidden" : undefined}>
          <tr>
            {columns.map(({ column }) => (
              <ColumnName key={column} column={column} />
            ))}
          </tr>
        </thead>
        {groups.map((group) => (
          <Account key={group.id} group={group} columns={columns} />
        ))}
      </table>
    </>
  );
}

const FIGURES: readonly FleetColumn[] = ["battery", "signal", "age"];

function ColumnName({ column }: { column: FleetColumn }) {
  const { t } = useTranslation(["wall", "common"]);
  const name =
    column === "battery"
      ? t("common:field.battery")
      : column === "signal"
        ? t("common:field.rssi")
        : t(`fleet.column.${column}`);
  return (
    <th scope="col" data-figure={FIGURES.includes(column) || undefined}>
      {name}
    </th>
  );
}

/** Show an account with its displayed devices: worst state, number of devices and of silent ones. */
function Account({ group, columns }: { group: FleetGroup; columns: readonly PlacedColumn[] }) {
  const { t } = useTranslation(["wall", "common"]);
  const { username, worst, shown, offline, lost, late, keys } = group;
  const state = stateOf(worseQuality(worst === "never" ? null : worst, useLinkQuality()));
  const silent = [
    offline > 0 ? `${t("common:quality.offline")} ${offline}` : null,
    lost > 0 ? `${t("common:quality.lost")} ${lost}` : null,
    late > 0 ? `${t("common:quality.late")} ${late}` : null,
  ].filter((part) => part !== null);
  return (
    <tbody>
      <tr className="wall-fleet__account">
        <th scope="rowgroup" colSpan={columns.length}>
          <span>
            <StateShape state={state} word={t(`common:quality.${state}`)} />
            <b>{username ?? t("fleet.noAccount")}</b>
            <span>{silent.join(" · ")}</span>
            <span>{t("fleet.devices", { count: shown })}</span>
          </span>
        </th>
      </tr>
      {keys.map((key) => (
        <FleetLine key={key} deviceKey={key} columns={columns} />
      ))}
    </tbody>
  );
}
