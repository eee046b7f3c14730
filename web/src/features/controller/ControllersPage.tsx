import { Button, chakra, Heading, Stack } from "@chakra-ui/react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeading } from "../../components/page-heading.tsx";
import { WaterGate } from "../../components/scenes/water-gate.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { type FarmGroup, farmMembers, groupByFarm, unitKey } from "../../domain/farm/farm-members.ts";
import { UntilKnown } from "../../domain/farm/UntilKnown.tsx";
import { type ValveUnit, valveUnits } from "../../domain/valve/valve-units.ts";
import { OwnLink } from "../../domain/view-as/OwnLink.tsx";
import { usePreview } from "../../domain/watering/use-preview.ts";
import { sumWater, useWaterSentence, waterOf } from "../../domain/watering/water-sum.ts";
import { type LiveFarm, useLinkQuality, useLiveSelection } from "../../live/hooks.ts";
import { UnitCard } from "./UnitCard.tsx";

const KINDS = ["controller", "channel", "sensor", "farm"] as const;

/** Return everything with valves, grouped by farm. */
function unitGroups(live: LiveFarm): readonly FarmGroup<ValveUnit>[] {
  const members = farmMembers(live);
  return groupByFarm(live.farms, valveUnits(live), (unit) => members.of(unitKey(unit)));
}

/** List all controllers with their channels by farm, with running water and valve states. */
export function ControllersPage() {
  const { t } = useTranslation("controller");
  const groups = useLiveSelection(KINDS, unitGroups);
  const links = useLinkQuality();
  const { next } = usePreview();
  const units = [...new Set(groups.flatMap(({ things }) => things))];
  const note = useWaterSentence(
    sumWater(units.flatMap(({ channels }) => channels).map(({ value }) => waterOf(value, links))),
  );
  if (units.length === 0) {
    return (
      <UntilKnown loading={<UnitsLoading />}>
        <EmptyState
          scene={<WaterGate />}
          title={t("empty")}
          action={
            <Button asChild variant="outline">
              <OwnLink to="/cotadd">{t("addFirst")}</OwnLink>
            </Button>
          }
        />
      </UntilKnown>
    );
  }
  return (
    <>
      <PageHeading title={t("title")} note={note} />
      {groups.map(({ farm, things }) => (
        <chakra.section key={farm?.id ?? ""} mb="7">
          {(groups.length > 1 || farm) && (
            <Heading mb="2.5" fontSize="title" fontWeight="semibold" lineHeight="inherit">
              {farm?.name ?? t("noFarm")}
            </Heading>
          )}
          <Stack gap="3">
            {things.map((unit) => (
              <UnitCard key={unit.id} unit={unit} next={next} />
            ))}
          </Stack>
        </chakra.section>
      ))}
    </>
  );
}

/** Placeholder with the list's layout. */
function UnitsLoading() {
  const { t } = useTranslation("controller");
  return (
    <>
      <PageHeading title={t("title")} />
      <Stack gap="3" aria-busy>
        {["1", "2"].map((key) => (
          <Skeleton key={key} height="10rem" />
        ))}
      </Stack>
    </>
  );
}
