import { FIELDS } from "@mulkko/shared/catalogue/fields";
import { useLabels } from "../i18n/labels.ts";
import { Card } from "../ui/layout/card.tsx";
import { QualityMark } from "../ui/reading/quality-mark.tsx";
import { RangeBand } from "../ui/reading/range-band.tsx";
import { ReadingTile, TileFrame } from "../ui/reading/reading-tile.tsx";
import { ReadingValue } from "../ui/reading/reading-value.tsx";
import { StressMark } from "../ui/reading/stress-mark.tsx";
import { sampleDay } from "./samples.ts";

const MINUTE = 60_000;

/** Show readings in every quality, priority and size. */
export function ReadingSection() {
  const { field } = useLabels();
  const { moisture, temperature, soilTemperature, ec, co2, vpd, humidity, l, battery } = FIELDS;
  return (
    <>
      <div className="gallery__grid">
        <ReadingTile
          label={`${field("moisture")} 1`}
          value={32.4}
          format={moisture}
          unit={moisture.unit}
          quality="fresh"
          ageMs={3_000}
          trend={sampleDay(31, 4)}
          band={{ low: 25, high: 35 }}
        />
        <ReadingTile
          label={`${field("moisture")} 2`}
          value={18.1}
          format={moisture}
          unit={moisture.unit}
          quality="fresh"
          ageMs={9_000}
          trend={sampleDay(20, 4)}
          band={{ low: 25, high: 35 }}
          alarm={2}
        />
        <ReadingTile
          label={field("soilTemperature")}
          value={21.7}
          format={soilTemperature}
          unit={soilTemperature.unit}
          quality="fresh"
          ageMs={5_000}
          trend={sampleDay(21, 2)}
        />
        <ReadingTile
          label={field("ec")}
          value={1.8}
          format={ec}
          unit={ec.unit}
          quality="fresh"
          ageMs={5_000}
          trend={sampleDay(1.8, 0.2)}
        />
        <ReadingTile
          label={field("temperature")}
          value={24.3}
          format={temperature}
          unit={temperature.unit}
          quality="late"
          ageMs={17 * MINUTE}
          trend={sampleDay(23, 5, [30, 48])}
        />
        <ReadingTile
          label={field("humidity")}
          value={61}
          format={humidity}
          unit={humidity.unit}
          quality="unknown"
          ageMs={4 * MINUTE}
          trend={sampleDay(60, 12)}
        />
        <ReadingTile
          label={field("co2")}
          value={612}
          format={{ decimals: 0 }}
          unit={co2.unit}
          quality="fresh"
          ageMs={2_000}
          trend={sampleDay(600, 90)}
          band={{ low: 500, high: 900 }}
        />
        <ReadingTile
          label={field("vpd")}
          value={912}
          format={vpd}
          unit={vpd.unit}
          quality="fresh"
          ageMs={2_000}
          trend={sampleDay(0.9, 0.3, [12, 20])}
        />
        <ReadingTile
          label={field("l")}
          value={142}
          format={l}
          unit={l.unit}
          quality="offline"
          ageMs={74 * MINUTE}
          trend={sampleDay(140, 6, [38, 48])}
        />
        <ReadingTile
          label={field("battery")}
          value={12}
          format={battery}
          unit={battery.unit}
          quality="fresh"
          ageMs={7_000}
          trend={sampleDay(14, 1)}
          alarm={3}
        />
        <ReadingTile
          label={field("rain")}
          value={0}
          format={{ decimals: 1 }}
          unit="mm"
          quality="fresh"
          ageMs={7_000}
          trend={sampleDay(0, 0)}
        />
        <ReadingTile
          label={field("ph")}
          value={null}
          format={{ decimals: 1 }}
          unit=""
          quality={null}
          ageMs={null}
          trend={[]}
        />
        <TileFrame label={field("stress")} quality="fresh" foot={<StressMark stress={72} />}>
          <ReadingValue value={72} format={FIELDS.stress} unit="" quality="fresh" />
        </TileFrame>
        <TileFrame
          label="RangeBand"
          quality="fresh"
          foot={<RangeBand value={28.2} low={25} high={35} unit="%" />}
        >
          <ReadingValue value={28.2} format={moisture} unit="%" quality="fresh" />
        </TileFrame>
        <TileFrame
          label="RangeBand"
          quality="fresh"
          alarm={1}
          foot={<RangeBand value={18.1} low={25} high={35} unit="%" />}
        >
          <ReadingValue value={18.1} format={moisture} unit="%" quality="fresh" />
        </TileFrame>
      </div>
      <Card title="ReadingValue, QualityMark">
        <div className="gallery__row">
          <ReadingValue value={32.4} format={moisture} unit="%" quality="fresh" size="hero" />
          <ReadingValue value={32.4} format={moisture} unit="%" quality="fresh" size="reading" />
          <ReadingValue value={32.4} format={moisture} unit="%" quality="fresh" size="title" />
          <ReadingValue value={32.4} format={moisture} unit="%" quality="fresh" size="body" />
          <QualityMark quality="fresh" ageMs={3_000} words />
          <QualityMark quality="late" ageMs={17 * MINUTE} words />
          <QualityMark quality="offline" ageMs={190 * MINUTE} words />
          <QualityMark quality="unknown" ageMs={3_000} words />
          <QualityMark quality={null} ageMs={null} words />
        </div>
      </Card>
    </>
  );
}
