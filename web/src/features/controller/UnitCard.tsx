import { Box, Grid } from "@chakra-ui/react";
import { useTranslation } from "react-i18next";
import { ValveIcon } from "../../components/icons.tsx";
import { DeviceRow } from "../../domain/device/device-row.tsx";
import { panelPath, unitEditPath } from "../../domain/farm/device-paths.ts";
import { useNamesBeside } from "../../domain/valve/names-beside.ts";
import type { ValveUnit } from "../../domain/valve/valve-units.ts";
import type { NextWaterings } from "../../domain/watering/next-watering.ts";
import { ValveRow } from "../../domain/watering/valve-row.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { useAge, useDrawnQuality, useLive } from "../../live/hooks.ts";
import { NoChannels } from "./NoChannels.tsx";

/** One controller with a cell for each channel. */
export function UnitCard({ unit, next }: { unit: ValveUnit; next: NextWaterings }) {
  const { t } = useTranslation("controller");
  const labels = useLabels();
  const quality = useDrawnQuality(unit);
  const ageMs = useAge(unit.heardAt);
  const info = useLive(unit.form, unit.id)?.info;
  const names = useNamesBeside(unit);
  return (
    <Box
      as="article"
      data-quality={quality ?? "never"}
      layerStyle="panel"
      css={{ "&:not([data-quality=fresh])": { borderStyle: "dashed", borderColor: "border.strong" } }}
    >
      <DeviceRow
        name={unit.name}
        about={[[labels.deviceType(unit.type), unit.serial], [info?.description?.trim()]]}
        imagePath={info?.imagePath}
        icon={<ValveIcon size={20} />}
        quality={quality}
        ageMs={ageMs}
        to={panelPath(unit.id)}
        edit={{ to: unitEditPath(unit), label: t("edit", { name: unit.name }) }}
      />
      {unit.channels.length === 0 ? (
        <NoChannels unit={unit} />
      ) : (
        <Grid
          as="ul"
          templateColumns="repeat(auto-fill, minmax(min(100%, 16rem), 1fr))"
          overflow="hidden"
          borderTopWidth="1px"
          rounded="0 0 var(--mk-radii-card) var(--mk-radii-card)"
          css={{ "& > li": { boxShadow: "0 0 0 0.5px var(--mk-colors-border)" } }}
        >
          {unit.channels.map((channel) => (
            <li key={channel.id}>
              <ValveRow
                testId="channel-cell"
                to={panelPath(unit.id, channel.value.number)}
                channel={channel.value}
                name={names.get(channel.id) ?? null}
                next={next.get(channel.id)}
              />
            </li>
          ))}
        </Grid>
      )}
    </Box>
  );
}
