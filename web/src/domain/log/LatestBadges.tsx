import { Flex, Grid, Text } from "@chakra-ui/react";
import { badgeNames, deviceTypeOf, fieldOf } from "@mulkko/shared/catalogue/registry";
import { fieldQuality } from "@mulkko/shared/rules/quality";
import { useTranslation } from "react-i18next";
import { useLabels } from "../../i18n/labels.ts";
import { useLive, useShownQuality } from "../../live/hooks.ts";
import { firmwareOf, readingNumber } from "../reading/reading.ts";
import { ReadingValue } from "../reading/reading-value.tsx";
import { useTimeTexts } from "../time/use-time-texts.ts";
import { VALVE, valveWord } from "./sources/source.ts";

/**
 * Show a sensor's serial, firmware, signal and time, then its latest values, live: the type's fields in order,
 * and the other received numbers. Nothing for a deleted sensor.
 */
export function LatestBadges({ id }: { id: string }) {
  const { t } = useTranslation("common");
  const labels = useLabels();
  const texts = useTimeTexts();
  const value = useLive("sensor", id);
  const quality = useShownQuality(value?.quality ?? null);
  if (!value) return null;
  const { reading, info, at } = value;
  const type = deviceTypeOf(info.deviceType, reading ?? {});
  const rssi = readingNumber(reading, "rssi");
  const facts = [
    [t("field.serial"), `${info.serial ?? "--"}`],
    [t("field.fwversion"), firmwareOf(reading)],
    [t("field.rssi"), rssi === null ? "--" : `${rssi} dBm`],
    [t("field.createdDate"), at === null ? "--" : texts.dayTime(Date.parse(at))],
  ];
  return (
    <Grid
      gap="3"
      maxH="66vh"
      p="card"
      position="relative"
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
                    {texts.dayTime(Date.parse(measured))}
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
