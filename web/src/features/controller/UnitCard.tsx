import { Box, chakra, Grid } from "@chakra-ui/react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { ValveIcon } from "../../components/icons.tsx";
import { DeviceRow } from "../../domain/device/device-row.tsx";
import { Moisture } from "../../domain/reading/moisture.tsx";
import { useLastReport } from "../../domain/valve/last-report.ts";
import { ThingTitle } from "../../domain/valve/thing-title.tsx";
import { ValveSymbol } from "../../domain/valve/valve-symbol.tsx";
import { nameInUnit } from "../../domain/valve/valve-title.ts";
import type { UnitChannel, ValveUnit } from "../../domain/valve/valve-units.ts";
import { valveView, viewMarks } from "../../domain/valve/valve-view.ts";
import { valveWords } from "../../domain/valve/valve-words.ts";
import type { NextWatering, NextWaterings } from "../../domain/watering/next-watering.ts";
import { useWhen } from "../../domain/watering/use-when.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useAge, useDrawnQuality, useLive } from "../../live/hooks.ts";
import { NoChannels } from "./NoChannels.tsx";
import { editPathOf, panelPathOf } from "./unit-paths.ts";

/** One controller with a cell for each channel. */
export function UnitCard({ unit, next }: { unit: ValveUnit; next: NextWaterings }) {
  const { t } = useTranslation("controller");
  const labels = useLabels();
  const quality = useDrawnQuality(unit);
  const ageMs = useAge(unit.heardAt);
  const info = useLive(unit.form, unit.id)?.info;
  return (
    <article className="box-card" data-quality={quality ?? "never"}>
      <DeviceRow
        name={unit.name}
        about={[[labels.deviceType(unit.type), unit.serial], [info?.description?.trim()]]}
        imagePath={info?.imagePath}
        icon={<ValveIcon size={20} />}
        quality={quality}
        ageMs={ageMs}
        to={panelPathOf(unit)}
        edit={{ to: editPathOf(unit), label: t("edit", { name: unit.name }) }}
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
        >
          {unit.channels.map((channel) => (
            <li key={channel.id}>
              <ChannelCell unit={unit} channel={channel} next={next.get(channel.id)} />
            </li>
          ))}
        </Grid>
      )}
    </article>
  );
}

interface ChannelCellProps {
  unit: ValveUnit;
  channel: UnitChannel;
  next: NextWatering | undefined;
}

function ChannelCell({ unit, channel, next }: ChannelCellProps) {
  const { t } = useTranslation("common");
  const { number, onoff, command, moisture, modes } = channel.value;
  const quality = useDrawnQuality(channel.value);
  const view = valveView({ onoff, command, quality });
  const when = useWhen(channel.value, next, view);
  const { time } = useLastReport(channel.value);
  const mode = modes?.active ?? "none";
  return (
    <Box
      asChild
      display="flex"
      alignItems="center"
      gap="3"
      h="full"
      minH="4.25rem"
      py="2"
      px="card"
      bg="bg.panel"
      boxShadow="0 0 0 0.5px var(--mk-colors-border)"
      color="fg"
      _hover={{ bg: "bg.sunk" }}
      _focusVisible={{ outlineOffset: "-2px" }}
      css={{
        '&[data-live="true"]:is([data-kind="open"], [data-kind="opening"], [data-kind="closing"])': {
          bg: "flow.tint",
        },
        '&[data-kind="mismatch"]': { bg: "alarm.p1.tint" },
      }}
    >
      <Link data-testid="channel-cell" to={panelPathOf(unit, number)} {...viewMarks(view)}>
        <ValveSymbol view={view} letter={mode === "none" ? null : t(`mode.letter.${mode}`)} size={40} />
        <Grid as="span" templateColumns="minmax(0, 1fr)" flex="1" minW="0">
          <chakra.b fontWeight="650">
            <ThingTitle name={nameInUnit(unit, channel)} number={number} />
          </chakra.b>
          <span className="channel-cell__state">
            {valveWords(t, view, time)} · <span className="channel-cell__when">{when}</span>
          </span>
        </Grid>
        {moisture !== null && <Moisture value={moisture} quality={quality} />}
      </Link>
    </Box>
  );
}
