import "./fleet-page.css";
import { MISSING } from "@mulkko/shared/rules/format";
import { worseQuality } from "@mulkko/shared/rules/quality";
import { type CSSProperties, memo, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { boardOf } from "../../domain/fleet/board.ts";
import {
  ageTime,
  countsOver,
  FLEET_STATES,
  type FleetState,
  isAmiss,
  stateOf,
} from "../../domain/fleet/device-state.ts";
import { NO_FILTER } from "../../domain/fleet/filter.ts";
import type { FleetStore } from "../../domain/fleet/fleet-store.ts";
import { HeartbeatBar } from "../../domain/fleet/HeartbeatBar.tsx";
import {
  batteryTexts,
  type ShownDevice,
  signalTexts,
  useFleet,
  useFleetOrder,
  useFleetSelection,
  useFleetStatus,
  useFleetTally,
  useLoadingTexts,
  useShownDevice,
} from "../../domain/fleet/hooks.ts";
import { StateShape } from "../../domain/fleet/StateMark.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { useAge, useLinkQuality } from "../../live/hooks.ts";
import { useElementSize } from "../use-viewport.ts";
import { useTellWaiting } from "../waiting.ts";
import { useWall, type WallPageProps } from "../wall-context.ts";
import { Empty, EmptyText } from "./Empty.tsx";
import {
  type FleetColumn,
  type FleetGroup,
  type FleetRows,
  fleetColumns,
  fleetRows,
  type PlacedColumn,
  sameFleetRows,
} from "./fleet-rows.ts";

const DEVICES = ["device"] as const;
/** A wall has no search. */
const noWords = (type: string) => type;

/** Return the board's lines of the current turn, and follow them. @param lines number of lines that fit */
function useFleetRows(lines: number, lap: number): FleetRows {
  const order = useFleetOrder();
  return useFleetSelection(
    DEVICES,
    (store: FleetStore) => {
      const devices = store.all("device");
      const isWanted = (key: string): boolean => {
        const device = devices.get(key);
        return device !== undefined && isAmiss(device);
      };
      return fleetRows(boardOf(devices, order, NO_FILTER, noWords).entries, isWanted, lines, lap);
    },
    sameFleetRows,
  );
}

/** One line for a device of any account. @param deviceKey its key in the `fleet` stream */
const FleetLine = memo(function FleetLine(props: { deviceKey: string; columns: readonly PlacedColumn[] }) {
  const { deviceKey, columns } = props;
  const shown = useShownDevice(deviceKey);
  if (!shown) return null;
  const { state, alarm } = shown;
  return (
    <tr
      className="wall-fleet__device"
      data-testid="fleet-device"
      data-state={state}
      data-alarm={state === "offline" || state === "lost" ? (alarm ?? undefined) : undefined}
    >
      {columns.map(({ column }) => (
        <FleetCell key={column} column={column} deviceKey={deviceKey} shown={shown} />
      ))}
    </tr>
  );
});

interface FleetCellProps {
  readonly column: FleetColumn;
  readonly deviceKey: string;
  readonly shown: ShownDevice;
}

function FleetCell({ column, deviceKey, shown }: FleetCellProps) {
  const { t } = useTranslation(["wall", "common"]);
  const { deviceType } = useLabels();
  const { device, name, state, alarm, needs } = shown;
  switch (column) {
    case "name":
      return (
        <th scope="row">
          <StateShape state={state} alarm={alarm} word={t(`common:quality.${state}`)} />
          {name}
        </th>
      );
    case "owner":
      return <td>{device.username ?? MISSING}</td>;
    case "type":
      return <td>{device.deviceType === null ? MISSING : deviceType(device.deviceType)}</td>;
    case "battery":
      return (
        <td data-figure data-low={needs.includes("battery") || undefined}>
          {batteryTexts(device.battery)}
        </td>
      );
    case "signal":
      return (
        <td data-figure data-low={needs.includes("signal") || undefined}>
          {signalTexts(device.rssi)}
        </td>
      );
    case "fw":
      return <td>{device.fwversion ?? MISSING}</td>;
    case "heartbeat":
      return (
        <td>
          <HeartbeatBar
            deviceKey={deviceKey}
            texts={(share) =>
              share === null ? t("fleet.unseen") : t("fleet.received", { percent: Math.round(share * 100) })
            }
          />
        </td>
      );
    case "age":
      return <AgeCell at={ageTime(device)} />;
  }
}

/** Re-renders by itself as time passes. */
function AgeCell({ at }: { at: string | null }) {
  const { shortAge } = useLabels();
  const ageMs = useAge(at);
  return (
    <td className="wall-fleet__age" data-figure>
      {ageMs === null ? MISSING : shortAge(ageMs)}
    </td>
  );
}

/** Always shown; the other states only if present. */
const ALWAYS: readonly FleetState[] = ["offline", "late", "fresh"];

/** Count all accounts' devices by state in one line; no better than the links allow (ONL-2). */
function FleetCounts() {
  const { t } = useTranslation("common");
  const { tally } = useFleetTally();
  return (
    <dl className="wall-fleet__counts">
      {FLEET_STATES.filter((state) => ALWAYS.includes(state) || tally[state] > 0).map((state) => (
        <div key={state} data-state={tally[state] > 0 ? state : "none"}>
          <dt>
            <StateShape state={state} />
            {t(`quality.${state}`)}
          </dt>
          <dd>{tally[state]}</dd>
        </div>
      ))}
    </dl>
  );
}

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
  const loading = useLoadingTexts();
  const { groups, waiting } = useFleetRows(lines, lap);
  const columns = useMemo(() => fleetColumns(width), [width]);
  useTellWaiting(waiting);
  if (status.state === "refused") return <EmptyText>{t("fleet.refused")}</EmptyText>;
  // The screen cannot scroll: it must not show a part as if it were the whole.
  if (loading !== null && groups.length > 0) return <EmptyText>{loading}</EmptyText>;
  if (groups.length === 0)
    return status.state === "here" ? (
      <Empty>{t("fleet.none")}</Empty>
    ) : (
      <EmptyText>{t("fleet.asking")}</EmptyText>
    );
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

const SILENT = ["offline", "lost", "late", "unknown"] as const;

/** Show an account with its displayed devices: worst state, number of devices and of silent ones. */
function Account({ group, columns }: { group: FleetGroup; columns: readonly PlacedColumn[] }) {
  const { t } = useTranslation(["wall", "common"]);
  const { username, worst, shown, keys } = group;
  const links = useLinkQuality();
  const state = stateOf(worseQuality(worst === "never" ? null : worst, links));
  const counts = countsOver({ ...group, devices: shown }, links);
  const silent = SILENT.filter((each) => counts[each] > 0).map(
    (each) => `${t(`common:quality.${each}`)} ${counts[each]}`,
  );
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
