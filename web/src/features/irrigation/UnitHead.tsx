import { Link } from "react-router-dom";
import { QualityMark } from "../../domain/reading/quality-mark.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { useAge, useDrawnQuality, useLive } from "../../live/hooks.ts";
import type { FarmUnit } from "./farm-list.ts";
import { panelPath } from "./paths.ts";

/** How far a controller or COT sensor can be believed, live. */
export function UnitQuality({ box }: { box: Pick<FarmUnit, "id" | "form"> }) {
  const value = useLive(box.form, box.id);
  const quality = useDrawnQuality(value);
  const ageMs = useAge(value?.heardAt ?? null);
  return <QualityMark quality={quality} ageMs={ageMs} />;
}

/** The name of a controller, leading to it. */
export function UnitHead({ box }: { box: FarmUnit }) {
  const labels = useLabels();
  return (
    <Link className="box-head" to={panelPath(box.id)}>
      <span className="box-head__name">{box.name}</span>
      <span className="box-head__about">
        {labels.deviceType(box.type)} · {box.serial}
      </span>
      <UnitQuality box={box} />
    </Link>
  );
}
