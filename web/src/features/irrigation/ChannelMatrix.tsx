import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { NextWaterings } from "../../domain/watering/next-watering.ts";
import { ChannelCell } from "./ChannelCell.tsx";
import type { FarmUnit } from "./farm-list.ts";
import { firstPlace, matrixOf, moveTo, type Place } from "./matrix.ts";
import { UnitHead } from "./UnitHead.tsx";

export interface ChannelMatrixProps {
  units: readonly FarmUnit[];
  next: NextWaterings;
}

/** Controllers as rows, channels as columns. Arrow keys go from channel to channel; Enter opens its valve. */
export function ChannelMatrix({ units, next }: ChannelMatrixProps) {
  const { t } = useTranslation(["irrigation", "common"]);
  const matrix = useMemo(() => matrixOf(units), [units]);
  const [place, setPlace] = useState<Place | null>(null);
  const cells = useRef(new Map<string, HTMLAnchorElement>());
  // One cell takes the Tab key: the one that was used last, if it is still there.
  const isThere = place !== null && (matrix.rows[place.row]?.cells[place.column] ?? null) !== null;
  const entry = isThere ? place : firstPlace(matrix);

  const press = (event: KeyboardEvent, from: Place) => {
    const to = moveTo(matrix, from, event.key);
    if (to.row === from.row && to.column === from.column) return;
    event.preventDefault();
    setPlace(to);
    const id = matrix.rows[to.row]?.cells[to.column];
    if (id) cells.current.get(id)?.focus();
  };
  return (
    <div className="matrix">
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its cells are gone through by arrow keys */}
      <table role="grid" aria-label={t("matrix.label")}>
        <thead>
          <tr>
            <th scope="col">{t("matrix.controller")}</th>
            {matrix.columns.map((number) => (
              <th key={number} scope="col">
                {t("common:valve.channel", { number })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {matrix.rows.map(({ box, cells: ids }, row) => (
            <tr key={box.id}>
              <th scope="row">
                <UnitHead box={box} />
              </th>
              {ids.map((id, column) => {
                const here = { row, column };
                const channel = box.channels.find((each) => each.id === id);
                return (
                  <td
                    key={matrix.columns[column]}
                    onKeyDown={(event) => press(event, here)}
                    onFocus={() => setPlace(here)}
                  >
                    {channel && (
                      <ChannelCell
                        box={box}
                        channel={channel}
                        next={next.get(channel.id)}
                        tabIndex={entry?.row === row && entry.column === column ? 0 : -1}
                        ref={(link) => {
                          if (link) cells.current.set(channel.id, link);
                          else cells.current.delete(channel.id);
                        }}
                      />
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
