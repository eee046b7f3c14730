import { Flex, Grid, Text } from "@chakra-ui/react";
import type { DeviceType } from "@mulkko/shared/catalogue/device-type";
import { badgeNames, deviceTypeOf, fieldOf } from "@mulkko/shared/catalogue/registry";
import type { SensorValue } from "@mulkko/shared/live/devices";
import { fieldQuality, type Quality } from "@mulkko/shared/rules/quality";
import { useTranslation } from "react-i18next";
import { useLabels } from "../../i18n/labels.ts";
import { useLive, useShownQuality } from "../../live/hooks.ts";
import { firmwareOf, readingNumber } from "../reading/reading.ts";
import { ReadingValue } from "../reading/reading-value.tsx";
import { useTimeWords } from "../time/use-time-words.ts";
import { VALVE, valveWord } from "./sources/source.ts";

/** Live latest values of one sensor; nothing for a deleted one. */
export function LatestBadges({ id }: { id: string }) {
  const value = useLive("sensor", id);
  const quality = useShownQuality(value?.quality ?? null);
  if (!value) return null;
  const type = deviceTypeOf(value.info.deviceType, value.reading ?? {});
  return <Badges value={value} type={type} quality={quality} />;
}

interface BadgesProps {
  value: SensorValue;
  type: DeviceType;
  quality: Quality | null;
}

/**
 * Show serial, firmware, signal and time, then the latest values: the type's fields in order, and the other
 * received numbers.
 */
function Badges({ value, type, quality }: BadgesProps) {
  const { t } = useTranslation("common");
  const labels = useLabels();
  const words = useTimeWords();
  const { reading, info, at } = value;
  const rssi = readingNumber(reading, "rssi");
  const facts = [
    [t("field.serial"), `${info.serial ?? "--"}`],
    [t("field.fwversion"), firmwareOf(reading)],
    [t("field.rssi"), rssi === null ? "--" : `${rssi} dBm`],
    [t("field.createdDate"), at === null ? "--" : words.dayTime(Date.parse(at))],
  ];
  return (
    <Grid
      gap="3"
      maxH="66vh"
      p="card"
      overflowY="auto"
      borderWidth="1px"
      rounded="card"
      bg="bg.panel"
      css={{ "& dt": { color: "fg.muted", fontSize: "caption" } }}
    >
      <Flex as="dl" wrap="wrap" rowGap="1" columnGap="6" fontSize="caption">
        {facts.map(([label, text]) => (
          <Flex key={label} gap="0.4rem">
            <dt>{label}</dt>
            <dd>{text}</dd>
          </Flex>
        ))}
      </Flex>
      <Grid
        as="dl"
        templateColumns="repeat(auto-fill, minmax(7rem, 1fr))"
        rowGap="3"
        columnGap="4"
        data-testid="badges"
        data-quality={quality ?? "never"}
      >
        {badgeNames(type, reading).map((name) => {
          const field = fieldOf(type, name);
          const shown = fieldQuality(quality, value, name);
          const measured = value.fieldTimes?.[name];
          return (
            <div key={name}>
              <dt>{labels.field(name)}</dt>
              <dd>
                {name === VALVE ? (
                  <Text as="strong" fontSize="title" fontWeight="650">
                    {valveWord(readingNumber(reading, name), t)}
                  </Text>
                ) : (
                  <ReadingValue
                    value={readingNumber(reading, name)}
                    field={field}
                    quality={shown}
                    size="title"
                  />
                )}
                {measured !== undefined && shown !== "fresh" && (
                  <Text as="small" display="block" color="fg.muted" fontSize="caption">
                    {words.dayTime(Date.parse(measured))}
                  </Text>
                )}
              </dd>
            </div>
          );
        })}
      </Grid>
    </Grid>
  );
}
