import { FIELDS } from "@mulkko/shared/catalogue/fields";
import { type CSSProperties, memo } from "react";
import { useTranslation } from "react-i18next";
import { ReadingValue } from "../../domain/reading/reading-value.tsx";
import { ThingTitle } from "../../domain/valve/thing-title.tsx";
import { ValveSymbol } from "../../domain/valve/valve-symbol.tsx";
import { nameInUnit } from "../../domain/valve/valve-title.ts";
import { viewMarks } from "../../domain/valve/valve-view.ts";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";
import { FarmLabel } from "../FarmLabel.tsx";
import { columnsOf } from "../sizes.ts";
import { useElementSize } from "../use-viewport.ts";
import { useTellWaiting } from "../waiting.ts";
import { useWall, type WallPageProps } from "../wall-context.ts";
import { Empty } from "./Empty.tsx";
import { useValve, ValveMark } from "./use-valve.tsx";
import { sameRows, valveRows } from "./valve-rows.ts";
import "./valves-page.css";

const KINDS = ["sensor.listing", "controller.listing", "channel", "alarm"] as const;
/**
 * Heights as in the style sheet, px of the drawn screen: a unit's name with gaps, a line of channels with its
 * gap, what one more line of text adds, and the gap after the last unit, which is not drawn.
 */
const HEIGHTS = {
  wide: { head: 59, line: 142, nameLine: 44, gap: 20 },
  tight: { head: 38, line: 106, nameLine: 40, gap: 8 },
} as const;
const SYMBOL_PX = { wide: 72, tight: 60 } as const;

/** Show all valves by unit, those with problems first. */
export function ValvesPage({ lap }: WallPageProps) {
  const { factor, tight } = useWall();
  const [ref, size] = useElementSize<HTMLDivElement>();
  const columns = size ? columnsOf(factor, { ...size, width: window.innerWidth }) : 0;
  return (
    <div className="valves" ref={ref}>
      {size && <Rows columns={columns} height={size.height / factor} tight={tight} lap={lap} />}
    </div>
  );
}

interface RowsProps {
  columns: number;
  /** Px of the drawn screen. */
  height: number;
  tight: boolean;
  lap: number;
}

function Rows({ columns, height, tight, lap }: RowsProps) {
  const { t } = useTranslation("wall");
  const { gap, ...heights } = HEIGHTS[tight ? "tight" : "wide"];
  const place = { columns, height: height + gap, ...heights };
  const select = (farm: LiveFarm) => valveRows(farm, place, lap);
  const { rows, waiting, ownLine, hasHeads } = useLiveSelection(KINDS, select, sameRows);
  useTellWaiting(waiting);
  if (rows.length === 0) return <Empty>{t("valve.none")}</Empty>;
  return (
    <div className="valves__units" style={besideEachOther(hasHeads ? columns : 1)}>
      {rows.map(({ id, name, channels, width }) => (
        <section
          key={id}
          className="valve-unit"
          style={{ gridColumn: `span ${width}` }}
          data-own-line={ownLine || undefined}
        >
          <h2 className={hasHeads ? undefined : "visually-hidden"}>
            {channels[0] !== undefined && (
              <FarmLabel about={`channel:${channels[0]}`} short={width < columns} />
            )}
            <span>{name}</span>
          </h2>
          <ul className="valve-unit__channels" style={besideEachOther(width)}>
            {channels.map((channel) => (
              <li key={channel}>
                <ValveCell id={channel} belowName={hasHeads} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

const besideEachOther = (columns: number): CSSProperties => ({
  gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
});

/**
 * Show one channel: its valve, its soil, and its next closing or opening.
 *
 * @param props.belowName true below its unit's name, which it does not repeat
 */
const ValveCell = memo(function ValveCell({ id, belowName }: { id: string; belowName: boolean }) {
  const { factor, tight } = useWall();
  const valve = useValve(id);
  if (valve === null) return null;
  return (
    <div
      className="valve-cell"
      data-testid="valve-cell"
      {...viewMarks(valve.view)}
      data-alarm={valve.alarm ?? undefined}
    >
      <ValveSymbol
        view={valve.view}
        letter={valve.letter}
        size={SYMBOL_PX[tight ? "tight" : "wide"] * factor}
      />
      <div className="valve-cell__text">
        <p className="valve-cell__state">
          <ThingTitle
            name={belowName ? nameInUnit({ name: valve.unit }, valve) : valve.name}
            number={valve.number}
          />{" "}
          <b>{valve.word}</b> <ValveMark valve={valve} />
        </p>
        <p className="valve-cell__foot">
          {valve.foot}
          {valve.moisture !== null && (
            <>
              {" · "}
              <ReadingValue
                value={valve.moisture}
                field={FIELDS.moisture}
                quality={valve.quality}
                size="body"
              />
            </>
          )}
        </p>
      </div>
    </div>
  );
});
