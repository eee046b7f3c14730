import { Box, chakra, Grid, Text } from "@chakra-ui/react";
import { ChevronDownIcon } from "lucide-react";
import { type KeyboardEvent, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { panelPath } from "../../domain/farm/device-paths.ts";
import { QualityMark } from "../../domain/reading/quality-mark.tsx";
import { nameInUnit } from "../../domain/valve/valve-title.ts";
import type { NextWatering, NextWaterings } from "../../domain/watering/next-watering.ts";
import { ValveRow } from "../../domain/watering/valve-row.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { useAge, useDrawnQuality, useKnowledge, useLive } from "../../live/hooks.ts";
import type { FarmChannel, FarmUnit } from "./farm-list.ts";
import { firstPlace, matrixOf, moveTo, type Place } from "./matrix.ts";

interface ChannelsProps {
  units: readonly FarmUnit[];
  next: NextWaterings;
}

const PART = {
  "& + &": { borderTopWidth: "1px" },
  "& li": { borderTopWidth: "1px" },
  "& > summary": {
    display: "flex",
    alignItems: "center",
    gap: "2.5",
    minH: "14",
    py: "2",
    px: "card",
    cursor: "pointer",
    listStyle: "none",
    _focusVisible: { outlineOffset: "-2px" },
    "&::-webkit-details-marker": { display: "none" },
    "& > svg": { flex: "none", transition: "transform 120ms ease-out" },
  },
  "&:not([open]) > summary > svg": { transform: "rotate(-90deg)" },
};

/** Show the matrix on a phone: controllers one below the other, unfolded and in their places (UI-5). */
export function UnitAccordion({ units, next }: ChannelsProps) {
  const { t } = useTranslation("irrigation");
  const { known } = useKnowledge();
  return (
    <Box overflow="hidden" layerStyle="panel">
      {units.map((unit) => (
        // Open at first; later only the user opens and closes it.
        <chakra.details key={unit.id} css={PART} open>
          <summary>
            <ChevronDownIcon />
            <Text as="span" flex="1" minW="0" fontWeight="650">
              {unit.name}
            </Text>
            <UnitQuality unit={unit} />
          </summary>
          {unit.channels.length === 0 ? (
            <Text px="card" pb="4" color="fg.muted">
              {t(known ? "matrix.noChannels" : "matrix.channelsUnknown")}{" "}
              <Link to={panelPath(unit.id)}>{unit.serial}</Link>
            </Text>
          ) : (
            <ul>
              {unit.channels.map((channel) => (
                <li key={channel.id}>
                  <ChannelCell unit={unit} channel={channel} next={next.get(channel.id)} />
                </li>
              ))}
            </ul>
          )}
        </chakra.details>
      ))}
    </Box>
  );
}

/** Controllers stay in view. A column is narrow: moisture stands below the name. */
const MATRIX = {
  "& table": { w: "full", borderCollapse: "separate", borderSpacing: "0" },
  "& th": { fontWeight: "500", textAlign: "start" },
  "& thead th": { pt: "1", px: "3", pb: "2", color: "fg.muted", fontSize: "label", whiteSpace: "nowrap" },
  "& thead th:first-of-type": { ps: "card" },
  "& :is(td, tbody th)": { h: "1px", borderTopWidth: "1px" },
  "& td": { minW: "11.5rem", borderStartWidth: "1px" },
  "& th:first-of-type": { position: "sticky", left: "0", zIndex: "1", bg: "bg.panel" },
  "& .valve-row": {
    display: "grid",
    gridTemplateColumns: "auto minmax(0, 1fr)",
    alignContent: "center",
    rowGap: "0",
    columnGap: "2.5",
    px: "3",
  },
  "& .valve-row > :nth-child(3)": { gridColumn: "2", justifySelf: "start" },
  "& .valve-row .moisture": { justifyItems: "start" },
};

/** Show controllers as rows, channels as columns. Arrow keys move between channels; Enter opens the panel. */
export function ChannelMatrix({ units, next }: ChannelsProps) {
  const { t } = useTranslation(["irrigation", "common"]);
  const matrix = useMemo(() => matrixOf(units), [units]);
  const [place, setPlace] = useState<Place | null>(null);
  // One cell takes the Tab key: the one that was used last, if it is still there.
  const isThere = place !== null && (matrix.rows[place.row]?.cells[place.column] ?? null) !== null;
  const entry = isThere ? place : firstPlace(matrix);

  const press = (event: KeyboardEvent<HTMLElement>, from: Place) => {
    const to = moveTo(matrix, from, event.key);
    if (to.row === from.row && to.column === from.column) return;
    event.preventDefault();
    setPlace(to);
    const table = event.currentTarget.closest("table");
    // The first row and the first cell of a row are headings.
    table?.rows[to.row + 1]?.cells[to.column + 1]?.querySelector("a")?.focus();
  };
  return (
    <Box className="matrix" position="relative" overflowX="auto" borderBottomRadius="card" css={MATRIX}>
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
          {matrix.rows.map(({ unit, cells: ids }, row) => (
            <tr key={unit.id}>
              <th scope="row">
                <UnitHead unit={unit} />
              </th>
              {ids.map((id, column) => {
                const here = { row, column };
                const channel = unit.channels.find((each) => each.id === id);
                return (
                  <td
                    key={matrix.columns[column]}
                    onKeyDown={(event) => press(event, here)}
                    onFocus={() => setPlace(here)}
                  >
                    {channel && (
                      <ChannelCell
                        unit={unit}
                        channel={channel}
                        next={next.get(channel.id)}
                        tabIndex={entry?.row === row && entry.column === column ? 0 : -1}
                      />
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Box>
  );
}

interface ChannelCellProps {
  unit: Pick<FarmUnit, "id" | "name">;
  channel: FarmChannel;
  next: NextWatering | undefined;
  tabIndex?: number;
}

/** Show one channel live: valve, soil, active mode, and when it closes or opens next. */
export function ChannelCell({ unit, channel: listed, next, tabIndex }: ChannelCellProps) {
  const channel = useLive("channel", listed.id);
  return (
    channel && (
      <ValveRow
        testId="channel-cell"
        to={panelPath(unit.id, channel.number)}
        channel={channel}
        name={nameInUnit(unit, listed)}
        // A cell is read by itself.
        unitName={unit.name}
        next={next}
        tabIndex={tabIndex}
      />
    )
  );
}

/** Show the quality of a controller or COT sensor, live. */
function UnitQuality({ unit }: { unit: Pick<FarmUnit, "id" | "form"> }) {
  const value = useLive(unit.form, unit.id);
  const quality = useDrawnQuality(value);
  const ageMs = useAge(value?.heardAt ?? null);
  return <QualityMark quality={quality} ageMs={ageMs} />;
}

const HEAD = {
  _focusVisible: { outlineOffset: "-2px" },
  "& > b": { fontWeight: "650" },
  "&:hover > b": { textDecoration: "underline", textUnderlineOffset: "3px" },
};

/** Show the name of a controller with a link to its panel. */
function UnitHead({ unit }: { unit: FarmUnit }) {
  const labels = useLabels();
  return (
    <Grid asChild gap="0.5" minW="11rem" maxW="15rem" py="2.5" pe="3" ps="card" color="fg" css={HEAD}>
      <Link to={panelPath(unit.id)}>
        <b>{unit.name}</b>
        <Text as="span" color="fg.muted" fontSize="caption">
          {labels.deviceType(unit.type)} · {unit.serial}
        </Text>
        <UnitQuality unit={unit} />
      </Link>
    </Grid>
  );
}
