import { fleetAccountKey } from "@mulkko/shared/live/fleet-keys";
import { useTranslation } from "react-i18next";
import { VirtualRows } from "../../components/virtual-rows.tsx";
import type { BoardEntry } from "../../domain/fleet/board.ts";
import { useFleetWords } from "../../domain/fleet/use-fleet-words.ts";
import { useSurface } from "../../theme/use-surface.ts";
import { BoardCell } from "./BoardCell.tsx";
import { BoardHeading } from "./BoardHeading.tsx";
import { BoardRow } from "./BoardRow.tsx";
import "./board.css";

/** CSS px, as in the style sheet, for headings and devices alike. */
const HEIGHT = { row: 32, cell: 24, phone: 72 } as const;

const COLUMNS = ["name", "owner", "type", "battery", "signal", "fw", "beats", "age"] as const;

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
  const fleetWords = useFleetWords();
  const tight = view === "tight" && !phone;
  const Device = tight ? BoardCell : BoardRow;
  const words = (column: (typeof COLUMNS)[number]): string => {
    switch (column) {
      case "type":
      case "fw":
        return t(`facet.${column}`);
      case "battery":
        return t("common:field.battery");
      case "signal":
        return t("common:field.rssi");
      case "name":
      case "owner":
      case "beats":
      case "age":
        return t(`column.${column}`);
    }
  };
  return (
    <div className="board" data-view={tight ? "tight" : "list"}>
      {!tight && !phone && (
        <div className="board__columns" aria-hidden>
          {COLUMNS.map((column) => (
            <span key={column} className={`board-row__${column}`}>
              {words(column)}
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
            return <Device deviceKey={entry.key} words={fleetWords} onPick={onPick} />;
          const { kind: _, id: __, ...heading } = entry;
          return <BoardHeading {...heading} />;
        }}
      />
    </div>
  );
}
