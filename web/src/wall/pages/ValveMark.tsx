import { QualityMark } from "../../domain/reading/quality-mark.tsx";
import { useAge } from "../../live/hooks.ts";
import type { WallValve } from "./use-valve.ts";

/**
 * Show the age of an outdated valve report; only this re-renders each second. Renders nothing if the valve's
 * text gives the quality and the report's time is shown below.
 */
export function ValveMark({
  valve: { quality, heardAt, view },
}: {
  valve: Pick<WallValve, "quality" | "heardAt" | "view">;
}) {
  return quality === null || quality === "fresh" || view.kind === "last" ? null : (
    <Old quality={quality} heardAt={heardAt} />
  );
}

function Old({ quality, heardAt }: Pick<WallValve, "quality" | "heardAt">) {
  return <QualityMark quality={quality} ageMs={useAge(heardAt)} />;
}
