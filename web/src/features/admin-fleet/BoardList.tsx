import { Box, chakra } from "@chakra-ui/react";
import { fleetAccountKey } from "@mulkko/shared/live/fleet-keys";
import { MISSING } from "@mulkko/shared/rules/format";
import { worseQuality } from "@mulkko/shared/rules/quality";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { AlarmBadge } from "../../components/alarm-badge.tsx";
import { VirtualRows } from "../../components/virtual-rows.tsx";
import type { AccountEntry, BoardEntry } from "../../domain/fleet/board.ts";
import { ageTime, countsOver, stateOf } from "../../domain/fleet/device-state.ts";
import { HeartbeatBar } from "../../domain/fleet/HeartbeatBar.tsx";
import {
  batteryTexts,
  type FleetTexts,
  signalTexts,
  useFleetTexts,
  useShownDevice,
} from "../../domain/fleet/hooks.ts";
import { PhoneLink } from "../../domain/fleet/PhoneLink.tsx";
import { StateMark, StateShape } from "../../domain/fleet/StateMark.tsx";
import { useOwner } from "../../domain/fleet/use-fleet-alarm.ts";
import { useAge, useLinkQuality } from "../../live/hooks.ts";
import { useSurface } from "../../theme/use-surface.ts";
import "./board.css";

/** CSS px, as in the style sheet, for headings and devices alike. */
const HEIGHT = { row: 32, cell: 24, phone: 72 } as const;

const COLUMNS = ["name", "alarm", "owner", "type", "battery", "signal", "fw", "heartbeat", "age"] as const;

const FRAME = { "[data-surface=desktop] &": { layerStyle: "panel" } };

const HEADING = {
  "& > .alarm-badge": { boxSize: "1.125rem" },
  display: "flex",
  alignItems: "center",
  gap: "2",
  h: "full",
  px: "3",
  bg: "bg.sunk",
  fontWeight: "650",
  whiteSpace: "nowrap",
  "& > :is(.board-heading__name, .board-heading__owner)": { overflow: "hidden", textOverflow: "ellipsis" },
  // Of what is cut on a narrow screen, the name is the last.
  "& > .board-heading__name": { flexShrink: 0, maxW: "60%" },
  "& > .board-heading__name ~ span": { color: "fg.muted", fontSize: "caption", fontWeight: "500" },
  "& > .board-heading__name ~ a": { fontSize: "caption", fontWeight: "500" },
  "& > .board-heading__count": { ms: "auto" },
  ".board__cells &": {
    gap: "0.5",
    h: "6",
    px: "3px",
    bg: "fg",
    color: "bg.panel",
    fontSize: "caption",
    "& .state-mark": { color: "inherit" },
    "& .state-mark .state-mark__dot": { bg: "currentColor" },
    "& > .board-heading__name ~ :is(span, a)": { display: "none" },
  },
};

interface BoardListProps {
  readonly entries: readonly BoardEntry[];
  /** `list` shows a line for each device; `tight` shows cells, about 300 on a screen. */
  readonly view: "list" | "tight";
  readonly onPick: (key: string) => void;
}

/** Virtualized board: only the part near the viewport is in the document. */
export function BoardList({ entries, view, onPick }: BoardListProps) {
  const { t } = useTranslation(["fleet", "common"]);
  const phone = useSurface() === "phone";
  const fleetTexts = useFleetTexts();
  const tight = view === "tight" && !phone;
  const Device = tight ? BoardCell : BoardRow;
  const texts = (column: (typeof COLUMNS)[number]): string => {
    if (column === "type" || column === "fw") return t(`facet.${column}`);
    if (column === "battery") return t("common:field.battery");
    if (column === "signal") return t("common:field.rssi");
    return t(`column.${column}`);
  };
  return (
    <Box css={FRAME}>
      {!tight && !phone && (
        <div className="board__columns" aria-hidden>
          {COLUMNS.map((column) => (
            <span key={column} className={`board-row__${column}`}>
              {texts(column)}
            </span>
          ))}
        </div>
      )}
      <VirtualRows
        key={tight ? "tight" : "list"}
        className={tight ? "board__cells" : "board__rows"}
        label={t("title")}
        count={entries.length}
        even
        estimate={tight ? HEIGHT.cell : phone ? HEIGHT.phone : HEIGHT.row}
        keyOf={(index) => {
          const entry = entries[index];
          if (entry === undefined) return `${index}`;
          return entry.kind === "device" ? entry.key : fleetAccountKey(entry.id);
        }}
        render={(index) => {
          const entry = entries[index];
          if (entry === undefined) return null;
          if (entry.kind === "device")
            return <Device deviceKey={entry.key} texts={fleetTexts} onPick={onPick} />;
          const { kind: _, ...heading } = entry;
          return <BoardHeading {...heading} />;
        }}
      />
    </Box>
  );
}

type BoardHeadingProps = Omit<AccountEntry, "kind">;

/**
 * Heading of an account's devices: its worst state, its name, and the numbers of all and of silent devices.
 */
const BoardHeading = memo(function BoardHeading(props: BoardHeadingProps) {
  const { id, username, alarm, worst, shown } = props;
  const owner = useOwner(id, username);
  const { t } = useTranslation("fleet");
  const links = useLinkQuality();
  const state = stateOf(worseQuality(worst === "never" ? null : worst, links));
  const counts = countsOver({ ...props, devices: shown }, links);
  const silent = (["offline", "lost", "late", "unknown"] as const)
    .filter((each) => counts[each] > 0)
    .map((each) => `${t(`state.${each}`)} ${counts[each]}`);
  return (
    <chakra.h2 className="board-heading" css={HEADING} title={username ?? undefined}>
      <StateMark state={state} />
      {alarm !== null && <AlarmBadge priority={alarm} />}
      <span className="board-heading__name">{username ?? t("noAccount")}</span>
      <span className="board-heading__owner">{owner.name === username ? "" : owner.name}</span>
      {owner.phone !== null && <PhoneLink name={owner.name} phone={owner.phone} />}
      <span className="board-heading__silent">{silent.join(" · ")}</span>
      <span className="board-heading__count">{t("accountCount", { count: shown })}</span>
    </chakra.h2>
  );
});

interface BoardRowProps {
  readonly deviceKey: string;
  readonly texts: FleetTexts;
  readonly onPick: (key: string) => void;
}

/** One device on one line: mark, name, owner, type, battery, signal, firmware, 48 hours, age. */
const BoardRow = memo(function BoardRow({ deviceKey, texts, onPick }: BoardRowProps) {
  const shown = useShownDevice(deviceKey);
  const ageMs = useAge(shown ? ageTime(shown.device) : null);
  if (!shown) return null;
  const { device, name, state, alarm, needs } = shown;
  const { username, deviceType, battery, rssi, fwversion } = device;
  const low = (need: (typeof needs)[number]) => needs.includes(need) || undefined;
  return (
    <button
      type="button"
      className="board-row"
      data-device={deviceKey}
      data-state={state}
      data-alarm={device.alarm || state === "offline" || state === "lost" ? (alarm ?? undefined) : undefined}
      onClick={() => onPick(deviceKey)}
    >
      <StateShape state={state} alarm={alarm} word={texts.state(state)} />
      <span className="board-row__name" data-testid="device-name">
        {name}
      </span>
      <span className="board-row__alarm">
        {device.alarm && (
          <>
            <AlarmBadge priority={device.alarm} />
            {texts.alarm(device.alarm)}
          </>
        )}
      </span>
      <span className="board-row__owner">{username ?? MISSING}</span>
      <span className="board-row__type">{deviceType === null ? MISSING : texts.deviceType(deviceType)}</span>
      <span className="board-row__battery" data-low={low("battery")}>
        {batteryTexts(battery)}
      </span>
      <span className="board-row__signal" data-low={low("signal")}>
        {signalTexts(rssi)}
      </span>
      <span className="board-row__fw">{fwversion ?? MISSING}</span>
      <span className="board-row__beats">
        <HeartbeatBar deviceKey={deviceKey} texts={texts.beats} />
      </span>
      <span className="board-row__age">{ageMs === null ? MISSING : texts.shortAge(ageMs)}</span>
    </button>
  );
});

/** One device in a cell of 100 by 24 pixels. A device without problems shows only its name. */
const BoardCell = memo(function BoardCell({ deviceKey, texts, onPick }: BoardRowProps) {
  const shown = useShownDevice(deviceKey);
  const silent = shown !== undefined && shown.state !== "fresh";
  const ageMs = useAge(silent ? ageTime(shown.device) : null);
  if (!shown) return null;
  const { device, name, state, alarm, needs } = shown;
  const need = needs[0];
  const trouble =
    ageMs !== null
      ? texts.shortAge(ageMs)
      : need === "battery"
        ? batteryTexts(device.battery)
        : need === "signal"
          ? signalTexts(device.rssi).replace(" dBm", "")
          : null;
  const type = device.deviceType === null ? null : texts.deviceType(device.deviceType);
  const { username, battery, rssi, fwversion } = device;
  const about = [username, type, batteryTexts(battery), signalTexts(rssi), fwversion]
    .filter((part) => part !== null)
    .join(" · ");
  return (
    <button
      type="button"
      className="board-cell"
      data-device={deviceKey}
      data-state={state}
      data-alarm={alarm ?? undefined}
      title={`${name} · ${about}`}
      onClick={() => onPick(deviceKey)}
    >
      <span className="board-cell__line">
        {device.alarm ? (
          <AlarmBadge priority={device.alarm} />
        ) : (
          <StateShape state={state} alarm={alarm} word={texts.state(state)} />
        )}
        <span className="board-cell__name">{name}</span>
        {trouble !== null && <span className="board-cell__trouble">{trouble}</span>}
      </span>
      <HeartbeatBar deviceKey={deviceKey} texts={texts.beats} />
    </button>
  );
});
