import { Box, Flex, Grid, Text } from "@chakra-ui/react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { PageHeading } from "../../components/page-heading.tsx";
import { WaterGate } from "../../components/scenes/water-gate.tsx";
import { OwnLink } from "../../domain/view-as/OwnLink.tsx";
import { usePreview } from "../../domain/watering/use-preview.ts";
import { sumWater, useWaterSentence } from "../../domain/watering/water-sum.ts";
import { useSurface } from "../../theme/use-surface.ts";
import { ChannelCell } from "./ChannelMatrix.tsx";
import { CloseAllButton } from "./CloseAllButton.tsx";
import { ClosingCard } from "./ClosingCard.tsx";
import type { FarmUnit } from "./farm-list.ts";
import { IrrigationFrame, type IrrigationValues } from "./IrrigationFrame.tsx";
import { PlanCard } from "./Timeline.tsx";
import { TodayCard } from "./TodayCard.tsx";
import { useWaterOfChannels } from "./use-farms.ts";

/** Show all farms and their water. */
export function IrrigationPage() {
  return <IrrigationFrame chosen={null}>{(values) => <Overview values={values} />}</IrrigationFrame>;
}

/** Return each unit once, also if it is on two farms. */
const unitsOf = ({ farms }: IrrigationValues): FarmUnit[] => [
  ...new Map(farms.flatMap(({ units }) => units.map((unit) => [unit.id, unit]))).values(),
];

function Overview({ values }: { values: IrrigationValues }) {
  const { t } = useTranslation("irrigation");
  const phone = useSurface() === "phone";
  const units = unitsOf(values);
  const preview = usePreview();
  const water = useWaterOfChannels();
  const valves = units.flatMap((unit) =>
    unit.channels.map((channel) => ({ channel, unit, now: water.get(channel.id) ?? ("unknown" as const) })),
  );
  const opened = valves.filter(({ now }) => now === "runs" || now === "ran");
  const note = useWaterSentence(sumWater(valves.map(({ now }) => now)));
  return (
    <>
      <PageHeading
        mb="1"
        title={t("title")}
        note={note}
        actions={<CloseAllButton farm={null} units={units} />}
      />
      <ClosingCard />
      {!phone && (
        <Box
          position="relative"
          h="clamp(11rem, 24vw, 17rem)"
          overflow="hidden"
          rounded="lg"
          css={{
            "& > svg": { position: "absolute", inset: "0", w: "full", h: "full" },
            "& > p": {
              position: "absolute",
              insetInlineStart: "1.5rem",
              bottom: "5",
              display: "grid",
              maxW: "calc(100% - 3rem)",
              py: "2.5",
              px: "4",
              rounded: "card",
              bg: "bg.panel",
            },
            "& strong": { fontSize: "heading", fontWeight: "bold", letterSpacing: "0.02em" },
            "& span": { color: "fg.muted" },
          }}
        >
          <WaterGate align="xMidYMid" />
          <p>
            <strong>{t("word")}</strong>
            <span>{t("choose")}</span>
          </p>
        </Box>
      )}
      {opened.length > 0 && (
        <Grid
          as="ul"
          templateColumns="repeat(auto-fill, minmax(min(100%, 17rem), 1fr))"
          gap="3"
          css={{
            "& > li": {
              display: "grid",
              gridTemplateRows: "auto 1fr",
              overflow: "hidden",
              borderWidth: "1px",
              rounded: "card",
              bg: "flow.tint",
            },
            '& > li[data-water="ran"]': {
              borderStyle: "dashed",
              borderColor: "border.strong",
              bg: "bg.panel",
            },
          }}
          aria-label={t("runningNow")}
        >
          {opened.map(({ channel, unit, now }) => (
            <li key={channel.id} data-water={now}>
              <Text as="span" pt="2.5" px="card" pb="0" color="fg.muted" fontSize="caption">
                {unit.name}
              </Text>
              <ChannelCell unit={unit} channel={channel} next={preview.next.get(channel.id)} />
            </li>
          ))}
        </Grid>
      )}
      <TodayCard
        sum={values.sumOf(null)}
        isLoading={values.isLoading}
        claim={values.claim}
        seenSince={values.seenSince}
      />
      {values.list}
      <PlanCard preview={preview} farmId={null} />
      <Flex
        as="p"
        wrap="wrap"
        rowGap="1"
        columnGap="6"
        css={{
          "& a": {
            display: "inline-flex",
            alignItems: "center",
            minH: "12",
            color: "fg",
            textDecoration: "underline",
            textUnderlineOffset: "3px",
          },
        }}
      >
        <Link to="/sensors/cot">{t("allControllers")}</Link>
        <OwnLink to="/farmadd">{t("addFarm")}</OwnLink>
      </Flex>
    </>
  );
}
