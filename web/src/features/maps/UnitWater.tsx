import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import {
  sameWater,
  sumWater,
  useWaterSentence,
  type WaterSum,
  waterOf,
} from "../../domain/watering/water-sum.ts";
import { type LiveFarm, useLinkQuality, useLiveSelection } from "../../live/hooks.ts";

import "./unit-water.css";

const KINDS = ["channel"] as const;

const sameSum = (a: WaterSum | null, b: WaterSum | null): boolean =>
  a === b || (a !== null && b !== null && sameWater(a, b));

/** The water of a COT unit's valves in one sentence; `--` while no channel of it is known. */
export function UnitWater({ id }: { id: string }) {
  const links = useLinkQuality();
  const sum = useLiveSelection(
    KINDS,
    useCallback(
      (farm: LiveFarm) => {
        const own = [...farm.channels.values()].filter(({ controllerId }) => `${controllerId}` === id);
        return own.length === 0 ? null : sumWater(own.map((channel) => waterOf(channel, links)));
      },
      [id, links],
    ),
    sameSum,
  );
  return <span className="unit-water">{sum === null ? "--" : <Sentence sum={sum} />}</span>;
}

function Sentence({ sum }: { sum: WaterSum }) {
  const { t } = useTranslation("common");
  const sentence = useWaterSentence(sum);
  const allClosed = sum.runs + sum.ran + sum.unknown === 0;
  return <>{allClosed ? t("water.closed", { count: sum.none }) : sentence}</>;
}
