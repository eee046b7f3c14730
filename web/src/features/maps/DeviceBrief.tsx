import { Box, Button, chakra, Flex, Grid, Text } from "@chakra-ui/react";
import type { FieldSpec } from "@mulkko/shared/catalogue/device-type";
import { XIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { shallow } from "zustand/shallow";
import { IconButton } from "../../components/icon-button.tsx";
import { type ShownSensor, useSensor } from "../../domain/device/use-sensor.ts";
import { logPath, panelPath } from "../../domain/farm/device-paths.ts";
import { VALVE } from "../../domain/log/sources/source.ts";
import { LiveReading } from "../../domain/reading/LiveReading.tsx";
import { QualityMark } from "../../domain/reading/quality-mark.tsx";
import { readingNumber } from "../../domain/reading/reading.ts";
import { StressMark } from "../../domain/reading/stress-mark.tsx";
import { OwnLink } from "../../domain/view-as/OwnLink.tsx";
import { sumWater, useWaterSentence, waterOf } from "../../domain/watering/water-sum.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useLinkQuality, useLiveSelection } from "../../live/hooks.ts";

const KINDS = ["channel"] as const;
const NO_VALVES = sumWater([]);

/** The water of a COT unit's valves in one sentence; `--` while no channel of it is known. */
function UnitWater({ id }: { id: string }) {
  const { t } = useTranslation("common");
  const links = useLinkQuality();
  const sum = useLiveSelection(
    KINDS,
    ({ channels }) => {
      const own = [...channels.values()].filter(({ controllerId }) => `${controllerId}` === id);
      return own.length === 0 ? null : sumWater(own.map((channel) => waterOf(channel, links)));
    },
    shallow,
  );
  const { runs, ran, none, unknown } = sum ?? NO_VALVES;
  const sentence = useWaterSentence(sum ?? NO_VALVES);
  const text = runs + ran + unknown === 0 ? t("water.closed", { count: none }) : sentence;
  return <span className="unit-water">{sum === null ? "--" : text}</span>;
}

interface MapReadingProps {
  readonly sensor: ShownSensor;
  readonly field: FieldSpec;
  readonly size: "title" | "body";
}

/** A measurement of a sensor, or the water of a COT unit's valves. */
export function MapReading({ sensor: { id }, field, size }: MapReadingProps) {
  if (field.name === VALVE) return <UnitWater id={id} />;
  return <LiveReading id={id} field={field} where="card" size={size} />;
}

/** Show the selected device: its readings and links to its pages. */
export function DeviceBrief({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation("maps");
  const labels = useLabels();
  const sensor = useSensor(id);
  if (!sensor) return null;
  const { value, name, type, primary, others, quality, ageMs } = sensor;
  const fields = primary ? [primary, ...others] : others;
  const valves = value.info.deviceType === "COT";
  return (
    <Grid
      as="article"
      gap="2.5"
      px="4"
      pt="3.5"
      pb="4"
      css={{
        ".maplibregl-popup &": { w: "18rem", maxH: "24rem", position: "relative", overflowY: "auto" },
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
