import { Box, Button, chakra, Flex, Grid, Text } from "@chakra-ui/react";
import type { DeviceType, FieldSpec } from "@mulkko/shared/catalogue/device-type";
import { deviceTypeOf, fieldOf, widgetFields } from "@mulkko/shared/catalogue/registry";
import type { SensorValue } from "@mulkko/shared/live/devices";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { type DrawnQuality, fieldQuality } from "@mulkko/shared/rules/quality";
import { XIcon } from "lucide-react";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { IconButton } from "../../components/icon-button.tsx";
import { logPath, panelPath } from "../../domain/farm/device-paths.ts";
import { VALVE } from "../../domain/log/sources/source.ts";
import { QualityMark } from "../../domain/reading/quality-mark.tsx";
import { readingNumber } from "../../domain/reading/reading.ts";
import { ReadingValue } from "../../domain/reading/reading-value.tsx";
import { StressMark } from "../../domain/reading/stress-mark.tsx";
import { OwnLink } from "../../domain/view-as/OwnLink.tsx";
import {
  sameWater,
  sumWater,
  useWaterSentence,
  type WaterSum,
  waterOf,
} from "../../domain/watering/water-sum.ts";
import { useLabels } from "../../i18n/labels.ts";
import {
  type LiveFarm,
  useAge,
  useDrawnQuality,
  useLinkQuality,
  useLive,
  useLiveSelection,
} from "../../live/hooks.ts";

const KINDS = ["channel"] as const;

const sameSum = (a: WaterSum | null, b: WaterSum | null): boolean =>
  a === b || (a !== null && b !== null && sameWater(a, b));

/** The water of a COT unit's valves in one sentence; `--` while no channel of it is known. */
function UnitWater({ id }: { id: string }) {
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

interface MapReadingProps {
  readonly sensor: MapSensor;
  readonly field: FieldSpec;
  readonly size: "title" | "body";
}

/** A measurement of a sensor, or the water of a COT unit's valves. */
export function MapReading({ sensor: { id, value, quality }, field, size }: MapReadingProps) {
  if (field.name === VALVE) return <UnitWater id={id} />;
  return (
    <ReadingValue
      value={readingNumber(value.reading, field.name)}
      field={field}
      where="card"
      quality={fieldQuality(quality, value, field.name)}
      size={size}
    />
  );
}

/** Show the selected device: its readings and links to its pages. */
export function DeviceBrief({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation("maps");
  const labels = useLabels();
  const sensor = useMapSensor(id);
  if (!sensor) return null;
  const { value, name, type, fields, quality, ageMs } = sensor;
  const valves = value.info.deviceType === "COT";
  return (
    <Grid
      as="article"
      gap="2.5"
      px="4"
      pt="3.5"
      pb="4"
      css={{
        ".maplibregl-popup &": { w: "18rem", maxH: "24rem", overflowY: "auto" },
        "[data-surface=phone] &": { px: "page", mb: "3.5", borderBottomWidth: "1px" },
      }}
      aria-label={name}
    >
      <Flex as="header" gap="2">
        <Box
          flex="1"
          minW="0"
          css={{
            "& h2": { fontSize: "title", fontWeight: "650", lineHeight: "1.35" },
            "& p": { color: "fg.muted", fontSize: "caption" },
          }}
        >
          <h2>{name}</h2>
          <p>
            {labels.deviceType(type.type)} · {value.info.serial}
          </p>
        </Box>
        <IconButton label={t("close")} onClick={onClose}>
          <XIcon />
        </IconButton>
      </Flex>
      <QualityMark quality={quality} ageMs={ageMs} texts />
      {fields.length > 0 && value.reading === null && (
        <Text color="fg.muted" fontSize="caption">
          {t("noReading")}
        </Text>
      )}
      {value.reading !== null && (
        <chakra.dl
          display="grid"
          gridTemplateColumns="repeat(auto-fill, minmax(6rem, 1fr))"
          rowGap="2"
          columnGap="3"
        >
          {fields.map((field, index) => (
            <Box key={field.name} gridColumn={index === 0 ? "1 / -1" : undefined}>
              <Text as="dt" color="fg.muted" fontSize="caption">
                {labels.field(field.name)}
              </Text>
              <Flex as="dd" wrap="wrap" align="center" gap="3">
                <MapReading sensor={sensor} field={field} size={index === 0 ? "title" : "body"} />
                {field.name === "stress" && <StressMark stress={readingNumber(value.reading, "stress")} />}
              </Flex>
            </Box>
          ))}
        </chakra.dl>
      )}
      <Flex as="nav" gap="2" aria-label={name}>
        <Button asChild size="sm" variant="outline" flex="1">
          <Link to={valves ? panelPath(id) : logPath(id)}>{valves ? t("valves") : t("log")}</Link>
        </Button>
        <Button asChild size="sm" variant="outline" flex="1">
          <OwnLink to={`/maps/edit?id=${encodeURIComponent(id)}`}>{t("edit")}</OwnLink>
        </Button>
      </Flex>
    </Grid>
  );
}

/** One sensor as shown in its row and its popup. */
interface MapSensor {
  readonly id: string;
  readonly value: SensorValue;
  readonly name: string;
  readonly type: DeviceType;
  /** The main field first, then the others that cards show. */
  readonly fields: readonly FieldSpec[];
  /** The worse of the sensor's own quality and the links'. */
  readonly quality: DrawnQuality | null;
  readonly ageMs: number | null;
}

/** Return one sensor, kept up to date; null after its deletion. */
export function useMapSensor(id: string): MapSensor | null {
  const value = useLive("sensor", id);
  const quality = useDrawnQuality(value);
  const ageMs = useAge(value?.heardAt ?? null);
  if (!value) return null;
  const type = deviceTypeOf(value.info.deviceType, value.reading ?? {});
  const primary = type.primary === "" ? [] : [fieldOf(type, type.primary)];
  const others = widgetFields(type, value.reading).filter(({ name }) => name !== type.primary);
  return { id, value, name: deviceName(value.info), type, fields: [...primary, ...others], quality, ageMs };
}
