import "./sensor-card.css";
import "./sensors.css";
import { Box, Button, Flex, Grid, Heading, Stack, Text } from "@chakra-ui/react";
import { useDeferredValue, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import { useClaim } from "../../api/knowledge.ts";
import { useNewestParams, withParam } from "../../components/address.ts";
import { ChoiceSegments } from "../../components/choice.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { SearchBox } from "../../components/field.tsx";
import { PageHeading } from "../../components/page-heading.tsx";
import { EmptyField } from "../../components/scenes/empty-field.tsx";
import { SensorHillside } from "../../components/scenes/sensor-hillside.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { useSensor } from "../../domain/device/use-sensor.ts";
import { logPath } from "../../domain/farm/device-paths.ts";
import { UntilKnown } from "../../domain/farm/UntilKnown.tsx";
import { useWidgets } from "../../domain/farm/use-widgets.ts";
import { LatestBadges } from "../../domain/log/LatestBadges.tsx";
import { useSparklines } from "../../domain/reading/use-sparklines.ts";
import { OwnLink } from "../../domain/view-as/OwnLink.tsx";
import { WeatherCard } from "../../domain/weather/WeatherCard.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { useMedia, useSurface } from "../../theme/use-surface.ts";
import { CategoryChips, CategoryList } from "./CategoryList.tsx";
import {
  categoryOf,
  countCategories,
  filterSensors,
  isTroubled,
  type ListedSensor,
  sectionsByFarm,
  sectionsByType,
  useSensorList,
} from "./model.ts";
import { SelectionBar } from "./SelectionBar.tsx";
import { SensorCard } from "./SensorCard.tsx";
import { SensorRow } from "./SensorRow.tsx";
import { SensorSections } from "./SensorSections.tsx";
import { CHOSEN, MOST_COMPARED, readSelection, useSelection, writeSelection } from "./selection.ts";
import { useStoredChoice } from "./use-stored-choice.ts";

/**
 * Cards of the sensors that the user has put on the dashboard.
 *
 * @param low true in a row above the list: its cards have no sparklines, and none are requested
 */
function WidgetCards({ low }: { low: boolean }) {
  const { t } = useTranslation("sensors");
  const claim = useClaim();
  const widgets = useWidgets();
  const trends = useSparklines(low ? [] : widgets);
  return (
    <section className="sensors__widgets" aria-label={t("widgets.title")}>
      {widgets.length === 0 ? (
        <Grid justifyItems="start" gap="1" p="card" layerStyle="panel">
          {!low && (
            <Box w="full" h="9rem" mb="2" overflow="hidden" rounded="card">
              <SensorHillside align="xMidYMax" />
            </Box>
          )}
          <strong>{t("title")}</strong>
          <Text color="fg.muted">{claim(t("widgets.none"))}</Text>
          <TextLink component={OwnLink} look={{ textStyle: "label" }} to="/listadd">
            {t("add")}
          </TextLink>
        </Grid>
      ) : (
        <ul className="sensors__cards">
          {widgets.map(({ id }) => (
            <li key={id}>
              <SensorCard id={id} trend={trends.get(id)} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Search parameter; `no` shows only sensors that are not live. */
const LIVE = "live";

const LAYOUTS = ["list", "cards"] as const;
const GROUPINGS = ["type", "farm"] as const;

/**
 * Width from which the latest values are shown beside the list; on narrower screens a click on a row opens
 * its log.
 */
const BESIDE = "(min-width: 80rem)";

/** The weather and the cards as one row that scrolls. */
const STRIP = {
  py: "1",
  position: "relative",
  overflowX: "auto",
  scrollSnapType: "x proximity",
  mdDown: {
    mx: "calc(-1 * var(--mk-spacing-page))",
    px: "page",
    scrollPaddingInline: "var(--mk-spacing-page)",
  },
  "& > :is([data-testid=weather], .chakra-skeleton), & .sensors__widgets > div, & li": {
    flex: "0 0 min(17rem, 82vw)",
    scrollSnapAlign: "start",
  },
  "& > [data-testid=weather]": { alignContent: "start" },
  // A card of the row is as low as its values let it be; to ask for one's own place there is the dashboard.
  "& :is(.sensor-card__trend, [data-testid=weather] > button)": { display: "none" },
} as const;

/**
 * List all sensors with their live readings. `deviceType` in the address filters by its category, `by`
 * groups.
 */
export function SensorsPage() {
  const { t } = useTranslation(["sensors", "common"]);
  const { category: categoryName, deviceType } = useLabels();
  const navigate = useNavigate();
  const address = useNewestParams();
  const { params, change } = address;
  const phone = useSurface() === "phone";
  const beside = useMedia(BESIDE);
  const [text, setText] = useState("");
  const typed = useDeferredValue(text);
  const troubled = params.get(LIVE) === "no";
  const [choosing, setChoosing] = useState(() => params.has(CHOSEN));
  const [storedLayout, setLayout] = useStoredChoice("mulkko.sensors.layout", LAYOUTS, "list");
  // A phone has space for only one card per screen.
  const layout = phone ? "list" : storedLayout;
  const { sensors, isComing, farms, controllers } = useSensorList();
  const selection = useSelection(sensors, address);

  const chosenType = params.get("deviceType");
  const category = chosenType === null ? null : categoryOf(chosenType);
  const by = params.get("by") === "farm" ? "farm" : "type";
  const categories = countCategories(sensors, controllers);
  const shown = filterSensors(sensors, { types: category?.types ?? null, text: typed, troubled }, deviceType);
  const sections =
    by === "farm" ? sectionsByFarm(shown, farms, t("noFarm")) : sectionsByType(shown, categoryName);
  const inCategory = category
    ? sensors.filter(({ deviceType: type }) => category.types.includes(type))
    : sensors;
  const silentAmong = (some: readonly ListedSensor[]) => some.filter(isTroubled).length;
  const [total, silent] = [inCategory.length, silentAmong(inCategory)];

  const choose = (name: string | null) => {
    if (name === "COT") return void navigate("/sensors/cot");
    // Keep the selection while the filters change.
    const query = writeSelection(new URLSearchParams(), readSelection(params));
    if (name !== null) query.set("deviceType", name);
    else if (by === "farm") query.set("by", by);
    void navigate({ pathname: name === null ? "/sensors" : "/sensors/type", search: `${query}` });
  };

  if (isComing) return <SensorsLoading />;
  if (sensors.length === 0 && controllers.count === 0) {
    const add = (
      <Button asChild variant="outline">
        <OwnLink to="/listadd">{t("add")}</OwnLink>
      </Button>
    );
    return (
      <UntilKnown loading={<SensorsLoading />}>
        <EmptyState scene={<EmptyField />} title={t("empty")} action={add} />
      </UntilKnown>
    );
  }

  const units = !phone || choosing;
  const row = (sensor: ListedSensor) => {
    const checked = selection.isChosen(sensor.id);
    return (
      <SensorRow
        id={sensor.id}
        checked={units ? checked : null}
        refused={units ? selection.refused(sensor) : null}
        open={beside ? selection.last === sensor.id : units && phone && checked}
        onToggle={selection.toggle}
        onOpen={beside ? selection.choose : units && phone ? selection.toggle : undefined}
      />
    );
  };
  const stopChoosing = () => {
    setChoosing(false);
    selection.clear();
  };
  const list = {
    categories,
    chosen: category?.name ?? null,
    onChoose: choose,
  };
  const charted = layout === "list" && selection.chosen.length > 0;
  // Without space beside the list the cards scroll above it; on a phone below the complete list.
  const strip = !beside && (!phone || category === null);
  const side = (
    <Flex
      as="aside"
      direction={strip ? "row" : "column"}
      gap={strip ? "3" : "4"}
      minW="0"
      css={strip ? STRIP : undefined}
      data-strip={strip || undefined}
    >
      {beside && selection.last !== null && <LatestPanel id={selection.last} />}
      <WeatherCard />
      <WidgetCards low={strip} />
    </Flex>
  );
  return (
    <>
      <PageHeading
        title={category ? categoryName(category.name) : t("title")}
        note={silent === 0 ? t("allLive", { count: total }) : t("counts", { count: total, silent })}
        actions={
          <>
            <ChoiceSegments
              label={t("by.label")}
              value={by}
              choices={GROUPINGS.map((value) => ({ value, label: t(`by.${value}`) }))}
              onChoose={(value) => change((before) => withParam(before, "by", value), { replace: true })}
            />
            {!phone && (
              <ChoiceSegments
                label={t("layout.label")}
                value={layout}
                choices={LAYOUTS.map((value) => ({ value, label: t(`layout.${value}`) }))}
                onChoose={(value) => {
                  setLayout(value);
                  stopChoosing();
                }}
              />
            )}
          </>
        }
      />
      {phone && <CategoryChips {...list} />}
      <Grid
        templateColumns={`${phone ? "" : "auto "}minmax(0, 1fr)${beside ? " 20rem" : ""}`}
        alignItems="start"
        gap="5"
        css={strip ? { "& > .categories": { gridRow: "span 2" } } : undefined}
      >
        {!phone && <CategoryList {...list} total={sensors.length} troubled={silentAmong(sensors)} />}
        {strip && !phone && side}
        <Box pb={phone && charted ? "10rem" : undefined}>
          <Flex align="center" wrap="wrap" columnGap="3" rowGap="2" mb="4">
            <SearchBox label={t("search")} text={text} onText={setText} />
            {(silent > 0 || troubled) && (
              <Button
                size="sm"
                variant={troubled ? "solid" : "outline"}
                aria-pressed={troubled}
                onClick={() =>
                  change((before) => withParam(before, LIVE, troubled ? null : "no"), { replace: true })
                }
              >
                {t("troubled", { count: silent })}
              </Button>
            )}
            {phone && (
              <Button
                size="sm"
                variant={choosing ? "solid" : "outline"}
                aria-pressed={choosing}
                onClick={() => (choosing ? stopChoosing() : setChoosing(true))}
              >
                {t("select.start")}
              </Button>
            )}
            {category && category.name !== "COT" && (
              <TextLink
                look={{ textStyle: "label" }}
                to={`/sensors/datalist?deviceType=${encodeURIComponent(chosenType ?? category.name)}`}
              >
                {t("table")}
              </TextLink>
            )}
          </Flex>
          {layout === "list" && (!phone || choosing) && (
            <Text mb="3" color="fg.muted" role="status">
              {t("select.hint", { max: MOST_COMPARED })}
            </Text>
          )}
          {sections.length === 0 && (
            <Text py="8" color="fg.muted" textAlign="center">
              {t("nothingFound")}
            </Text>
          )}
          <SensorSections sections={sections} layout={layout} row={row} />
          {charted && <SelectionBar chosen={selection.chosen} onClear={stopChoosing} />}
        </Box>
        {(beside || (strip && phone)) && side}
      </Grid>
    </>
  );
}

/** Placeholder with the list's layout. */
function SensorsLoading() {
  const { t } = useTranslation("sensors");
  return (
    <>
      <PageHeading title={t("title")} />
      <Stack>
        {Array.from({ length: 6 }, (_, index) => `${index}`).map((key) => (
          <Skeleton key={key} height="4.5rem" />
        ))}
      </Stack>
    </>
  );
}

/** Show the latest values of the last selected sensor and a link to its log. */
function LatestPanel({ id }: { id: string }) {
  const { t } = useTranslation("sensors");
  const sensor = useSensor(id);
  if (!sensor) return null;
  return (
    <section aria-label={t("latest", { name: sensor.name })}>
      <Flex align="center" justify="space-between" gap="3">
        <Heading as="h2" minW="0" textStyle="title">
          {sensor.name}
        </Heading>
        <TextLink look={{ flex: "none", textStyle: "label" }} to={logPath(id)}>
          {t("select.done")}
        </TextLink>
      </Flex>
      <LatestBadges id={id} />
    </section>
  );
}
