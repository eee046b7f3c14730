import "./fleet-page.css";
import type { FleetAlarmValue } from "@mulkko/shared/live/fleet";
import { MISSING } from "@mulkko/shared/rules/format";
import { worseQuality } from "@mulkko/shared/rules/quality";
import { type CSSProperties, memo, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { shallow } from "zustand/shallow";
import { AlarmBadge } from "../../components/alarm-badge.tsx";
import { isUrgent } from "../../domain/alarm/present-alarms.ts";
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
  useUrgentAlarms,
} from "../../domain/fleet/hooks.ts";
import { StateShape } from "../../domain/fleet/StateMark.tsx";
import { accountUrgency, waterOf } from "../../domain/fleet/urgent.ts";
import { useFleetAlarm } from "../../domain/fleet/use-fleet-alarm.ts";
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

const BOARD = ["device", "account", "alarm", "fleet"] as const;
/** A wall has no search. */
const noWords = (type: string) => type;

/** Return the board's lines of the current turn, and follow them. @param lines number of lines that fit */
function useFleetRows(lines: number, lap: number): FleetRows {
  const order = useFleetOrder();
  return useFleetSelection(
    BOARD,
    (store: FleetStore) => {
      const devices = store.all("device");
      const isWanted = (key: string): boolean => {
        const device = devices.get(key);
        return device !== undefined && isAmiss(device);
      };
      const board = boardOf(devices, order, NO_FILTER, noWords, accountUrgency(store));
      return fleetRows(board.entries, isWanted, lines, lap);
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
      data-alarm={
        shown.device.alarm || state === "offline" || state === "lost" ? (alarm ?? undefined) : undefined
      }
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

/** Return the states that are counted. */
function useCountedStates(): readonly FleetState[] {
  const { tally } = useFleetTally();
  return FLEET_STATES.filter((state) => ALWAYS.includes(state) || tally[state] > 0);
}

/** Least width of a count, and the gap between two, px of the drawn screen; upright the number is below. */
const COUNT_PX = { wide: 400, narrow: 255 } as const;
const COUNT_GAP_PX = 16;

/** Return how many of a number of counts stand side by side: the same in each row. */
export function countColumns(count: number, width: number, narrow: boolean): number {
  const least = COUNT_PX[narrow ? "narrow" : "wide"];
  const fits = Math.max(1, Math.floor((width + COUNT_GAP_PX) / (least + COUNT_GAP_PX)));
  return Math.ceil(count / Math.ceil(count / fits));
}

/** Count all accounts' devices by state; no better than the links allow (ONL-2). */
function FleetCounts({ states, columns }: { states: readonly FleetState[]; columns: number }) {
  const { t } = useTranslation("common");
  const { tally } = useFleetTally();
  const style: CSSProperties = { gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` };
  return (
    <dl className="wall-fleet__counts" style={style}>
      {states.map((state) => (
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

/** Show how much water runs, and how many accounts are not watched; each as far as it is known (WARN-4). */
function WaterLine({ lines }: { lines: number }) {
  const { t } = useTranslation("wall");
  const { open, beyondEnd, water, known } = useFleetSelection(WATER, waterIn, shallow);
  const isSure = useLinkQuality() === "fresh";
  const list = useFleetSelection(WATER, (store) => store.list());
  const unwatched = list?.unwatched ?? 0;
  const parts = [
    !isSure || (!water && open === 0)
      ? t("fleet.waterUnknown")
      : t(known ? "fleet.water" : "fleet.waterAtLeast", { number: open }),
    ...(isSure && beyondEnd > 0 ? [t("fleet.beyond", { number: beyondEnd })] : []),
    ...(unwatched > 0 ? [t("fleet.unwatched", { number: unwatched })] : []),
    ...(!isSure || !list?.urgent ? [t("fleet.unknown")] : []),
  ];
  return (
    <p className="wall-fleet__water" data-lines={lines} data-testid="fleet-water">
      {parts.map((part) => (
        <span key={part}>{part}</span>
      ))}
    </p>
  );
}

/** One urgent alarm of any account: farm and whom to call, then what (never cut off), the device, and the time. */
function UrgentLine({ alarm }: { alarm: FleetAlarmValue }) {
  const { texts } = useWall();
  const { shortAge } = useLabels();
  const { where, subject, type, owner, since, ageMs } = useFleetAlarm(alarm);
  return (
    <li className="wall-fleet__alarm" data-priority={alarm.priority} data-testid="fleet-urgent">
      <AlarmBadge priority={alarm.priority} pulsing={isUrgent(alarm)} />
      <p>
        <strong>{where}</strong>
        <span>{[owner.name, owner.phone].filter(Boolean).join(" ")}</span>
      </p>
      <p>
        <span>{[type, subject].join(" · ")}</span>
        <span>
          {texts.time(since)} · {shortAge(ageMs)}
        </span>
      </p>
    </li>
  );
}

/** List the urgent alarms of all accounts above the devices (WARN-7). @param most number that fits */
function UrgentList({ alarms, most }: { alarms: readonly FleetAlarmValue[]; most: number }) {
  const { t } = useTranslation("wall");
  if (alarms.length === 0) return null;
  return (
    <ul className="wall-fleet__urgent" aria-label={t("fleet.urgent")}>
      {alarms.slice(0, most).map((alarm) => (
        <UrgentLine key={`${alarm.account} ${alarm.id}`} alarm={alarm} />
      ))}
      {alarms.length > most && <li>{t("fleet.more", { count: alarms.length - most })}</li>}
    </ul>
  );
}

const WATER = ["account", "fleet"] as const;

const waterIn = (store: FleetStore) => {
  const { open, beyondEnd, known } = waterOf(store);
  const list = store.list();
  return {
    open,
    beyondEnd,
    known: known && list?.unwatched === 0,
    water: typeof list?.openValves === "number",
  };
};

/** Height of an urgent alarm, and of the count of further ones, in lines. */
const ALARM_LINES = 2;
const MORE_LINES = 1;
/** Lines of water on a board of this width, px of the drawn screen. */
const waterLines = (width: number): number => (width < WATER_WRAPS_BELOW_PX ? 2 : 1);
const WATER_WRAPS_BELOW_PX = 1_200;
/** Urgent alarms take at most this part of the page: the devices stay visible. */
const URGENT_SHARE = 0.6;

/** Return how many urgent alarms are shown, and the lines left for devices. */
export function urgentRoom(count: number, lines: number): { most: number; left: number } {
  const room = Math.max(ALARM_LINES, Math.floor(lines * URGENT_SHARE));
  const fits = Math.floor(room / ALARM_LINES);
  const most = count <= fits ? count : Math.max(1, Math.floor((room - MORE_LINES) / ALARM_LINES));
  const used = most * ALARM_LINES + (count > most ? MORE_LINES : 0);
  return { most, left: Math.max(0, lines - used) };
}

/**
 * Heights as in the style sheet, px of the drawn screen: a line; gaps and headings above the lines; a row of
 * counts with the gap to the next one.
 */
const LINE_PX = 46;
const ABOVE_PX = { wide: 78, tight: 16 } as const;
const COUNT_ROW_PX = { wide: 92, narrow: 104, tight: 56 } as const;

/** Show all accounts' devices on an administrator's screen, worst first. */
export default function FleetPage({ lap }: WallPageProps) {
  useFleet();
  const { factor } = useWall();
  const [ref, size] = useElementSize<HTMLDivElement>();
  return (
    <div className="wall-fleet" ref={ref}>
      {size && <Board width={size.width / factor} height={size.height / factor} lap={lap} />}
    </div>
  );
}

interface BoardProps {
  /** Px of the drawn screen. */
  readonly width: number;
  readonly height: number;
  readonly lap: number;
}

function Board({ width, height, lap }: BoardProps) {
  const { t } = useTranslation("wall");
  const { tight, narrow } = useWall();
  const states = useCountedStates();
  const across = countColumns(states.length, width, narrow || tight);
  const countRows = Math.ceil(states.length / across);
  const above =
    ABOVE_PX[tight ? "tight" : "wide"] +
    countRows * COUNT_ROW_PX[tight ? "tight" : narrow ? "narrow" : "wide"];
  const lines = Math.max(2, Math.floor((height - above) / LINE_PX));
  const status = useFleetStatus();
  const loading = useLoadingTexts();
  const alarms = useUrgentAlarms();
  const { most, left } = urgentRoom(alarms.length, lines);
  // Where there is no room for both, the alarms stay.
  const water = waterLines(width);
  const hasWater = left > water;
  const { groups, waiting } = useFleetRows(hasWater ? left - water : left, lap);
  const columns = useMemo(() => fleetColumns(width), [width]);
  useTellWaiting(waiting);
  if (status.state === "refused") return <EmptyText>{t("fleet.refused")}</EmptyText>;
  // The screen cannot scroll: it must not show a part as if it were the whole.
  if (loading !== null && groups.length > 0) return <EmptyText>{loading}</EmptyText>;
  if (groups.length === 0 && alarms.length === 0)
    return status.state === "here" ? (
      <Empty>{t("fleet.none")}</Empty>
    ) : (
      <EmptyText>{t("fleet.asking")}</EmptyText>
    );
  return (
    <>
      <UrgentList alarms={alarms} most={most} />
      <FleetCounts states={states} columns={across} />
      {hasWater && <WaterLine lines={water} />}
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

/** Show an account with its displayed devices: urgent alarm, worst state, number of devices and of silent ones. */
function Account({ group, columns }: { group: FleetGroup; columns: readonly PlacedColumn[] }) {
  const { t } = useTranslation(["wall", "common"]);
  const { username, alarm, worst, shown, keys } = group;
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
            {alarm !== null && <AlarmBadge priority={alarm} />}
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
