import { useAge } from "../../live/hooks.ts";
import { QualityMark } from "../../ui/reading/quality-mark.tsx";
import type { WallValve } from "./use-valve.ts";

/** How old the word of a valve's box is, where it is not of now; nothing else is drawn anew for it each second. */
export function ValveMark({
  valve: { quality, heardAt },
}: {
  valve: Pick<WallValve, "quality" | "heardAt">;
}) {
  return quality === null || quality === "fresh" ? null : <Old quality={quality} heardAt={heardAt} />;
}

function Old({ quality, heardAt }: Pick<WallValve, "quality" | "heardAt">) {
  return <QualityMark quality={quality} ageMs={useAge(heardAt)} />;
}
