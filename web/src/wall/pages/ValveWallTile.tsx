import { memo } from "react";
import { TileFrame } from "../../domain/reading/reading-tile.tsx";
import { ThingTitle } from "../../domain/valve/thing-title.tsx";
import { ValveSymbol } from "../../domain/valve/valve-symbol.tsx";
import { FarmLabel } from "../FarmLabel.tsx";
import { useWall } from "../wall-context.ts";
import { useValve } from "./use-valve.ts";
import { ValveMark } from "./ValveMark.tsx";

const SYMBOL_PX = { wide: 84, tight: 54 } as const;

/** Show a valve for reading from a distance. Its body is the reported position, never the requested one. */
export const ValveWallTile = memo(function ValveWallTile({ id }: { id: string }) {
  const { factor, tight } = useWall();
  const valve = useValve(id);
  if (valve === null) return null;
  return (
    <TileFrame
      label={
        <>
          <FarmLabel about={`channel:${id}`} short />
          <ThingTitle name={valve.name} number={valve.number} />
        </>
      }
      quality={valve.view.kind === "unknown" ? "unknown" : valve.quality}
      alarm={valve.alarm}
      mark={<ValveMark valve={valve} />}
      foot={<p className="valve-foot">{valve.foot}</p>}
    >
      <ValveSymbol
        view={valve.view}
        letter={valve.letter}
        size={SYMBOL_PX[tight ? "tight" : "wide"] * factor}
      />
      <span
        className="valve-word"
        data-quality={valve.view.kind === "unknown" ? "unknown" : (valve.quality ?? undefined)}
      >
        {valve.word}
      </span>
    </TileFrame>
  );
});
