import { Box, chakra, Flex, Grid, Text } from "@chakra-ui/react";
import { fieldQuality } from "@mulkko/shared/rules/quality";
import { XIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { IconButton } from "../../components/icon-button.tsx";
import { VALVE } from "../../domain/log/valve-word.ts";
import { QualityMark } from "../../domain/reading/quality-mark.tsx";
import { readingNumber } from "../../domain/reading/reading.ts";
import { ReadingValue } from "../../domain/reading/reading-value.tsx";
import { StressMark } from "../../domain/reading/stress-mark.tsx";
import { OwnLink } from "../../domain/view-as/OwnLink.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { UnitWater } from "./UnitWater.tsx";
import { useMapSensor } from "./use-map-sensor.ts";

/** The device that was picked: what it says now, and where it leads. */
export function DeviceBrief({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation("maps");
  const labels = useLabels();
  const sensor = useMapSensor(id);
  if (!sensor) return null;
  const { value, name, type, fields, quality, ageMs } = sensor;
  const address = encodeURIComponent(id);
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
        ".map-sheet &": { px: "page", mb: "3.5", borderBottomWidth: "1px" },
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
      <QualityMark quality={quality} ageMs={ageMs} words />
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
                {field.name === VALVE ? (
                  <UnitWater id={id} />
                ) : (
                  <ReadingValue
                    value={readingNumber(value.reading, field.name)}
                    field={field}
                    where="card"
                    quality={fieldQuality(quality, value, field.name)}
                    size={index === 0 ? "title" : "body"}
                  />
                )}
                {field.name === "stress" && <StressMark stress={readingNumber(value.reading, "stress")} />}
              </Flex>
            </Box>
          ))}
        </chakra.dl>
      )}
      <Flex
        as="nav"
        gap="2"
        css={{
          "& a": {
            display: "grid",
            flex: "1",
            placeItems: "center",
            minH: "max(2.5rem, var(--finger))",
            px: "3",
            borderWidth: "1px",
            borderColor: "border.strong",
            rounded: "card",
            color: "fg",
            fontWeight: "medium",
          },
          "& a:hover": { bg: "bg.sunk" },
        }}
        aria-label={name}
      >
        <Link to={valves ? `/sensors/cot/detail?cotId=${address}` : `/sensors/type?id=${address}`}>
          {valves ? t("valves") : t("log")}
        </Link>
        <OwnLink to={`/maps/edit?id=${address}`}>{t("edit")}</OwnLink>
      </Flex>
    </Grid>
  );
}
