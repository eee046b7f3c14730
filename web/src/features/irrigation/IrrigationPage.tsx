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
      {/* Below what can be acted on. */}
      {!phone && <Scene />}
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

const SCENE = {
  "& > svg": { position: "absolute", inset: "0", w: "full", h: "full" },
  "& > p": {
    position: "absolute",
    insetInlineStart: "4",
    bottom: "3",
    py: "1",
    px: "3",
    rounded: "card",
    bg: "bg.panel",
    fontWeight: "semibold",
    letterSpacing: "0.02em",
  },
} as const;

/** Show the word of the specification for a page without a selected farm, in a strip of a scene. */
function Scene() {
  const { t } = useTranslation("irrigation");
  return (
    <Box position="relative" h="24" overflow="hidden" rounded="lg" css={SCENE}>
      <WaterGate align="xMidYMid" />
      <p>{t("word")}</p>
    </Box>
  );
}
