import { Button, Stack } from "@chakra-ui/react";
import type { SensorValue } from "@mulkko/shared/live/devices";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { Settings2Icon } from "lucide-react";
import { useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router-dom";
import { EmptyState } from "../../components/empty-state.tsx";
import { IconLink } from "../../components/icon-button.tsx";
import { PageHeading, ReturnLink } from "../../components/page-heading.tsx";
import { EmptyField } from "../../components/scenes/empty-field.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { DeadLetters } from "../../domain/device/DeadLetters.tsx";
import { UntilKnown } from "../../domain/farm/UntilKnown.tsx";
import { LatestBadges } from "../../domain/log/LatestBadges.tsx";
import { LogBoard } from "../../domain/log/LogBoard.tsx";
import { readChoice, writeChoice } from "../../domain/log/range/range.ts";
import { QualityMark } from "../../domain/reading/quality-mark.tsx";
import { OwnLink } from "../../domain/view-as/OwnLink.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { type LiveFarm, useAge, useLive, useLiveSelection, useShownQuality } from "../../live/hooks.ts";
import { sourcesOf } from "./sources-of.ts";

const SENSORS = ["sensor.listing"] as const;

/** Log of one sensor with its newest values, charts and statistics, or a comparison of several. */
export function SensorLogPage({ ids }: { ids: readonly string[] }) {
  const { t } = useTranslation("log");
  const [first = "", second] = ids;
  const value = useLive("sensor", first);
  // Leave deleted sensors out of a comparison.
  const isThere = useLiveSelection(
    SENSORS,
    useCallback(({ sensors }: LiveFarm) => ids.some((id) => sensors.has(id)), [ids]),
  );
  if (second !== undefined && isThere) return <ComparedLog ids={ids} />;
  if (second === undefined && value) return <SensorLog id={first} value={value} />;
  return (
    <UntilKnown loading={<LogLoading />}>
      <EmptyState
        scene={<EmptyField />}
        title={t("gone")}
        action={
          <Button asChild variant="outline">
            <Link to="/sensors">{t("toList")}</Link>
          </Button>
        }
      />
    </UntilKnown>
  );
}

/** Placeholder for heading, newest values and first chart. */
function LogLoading() {
  return (
    <Stack gap="4" aria-busy>
      <Skeleton width="14rem" height="2.25rem" />
      <Skeleton height="4rem" />
      <Skeleton height="22rem" />
    </Stack>
  );
}

/** Return the range in the address. */
function useChoice() {
  const [params, setParams] = useSearchParams();
  const search = params.toString();
  const choice = useMemo(() => readChoice(new URLSearchParams(search)), [search]);
  return [choice, (next: typeof choice) => setParams(writeChoice(params, next), { replace: true })] as const;
}

function SensorLog({ id, value }: { id: string; value: SensorValue }) {
  const { t } = useTranslation("sensors");
  const labels = useLabels();
  const [choice, choose] = useChoice();
  const name = deviceName(value.info);
  const quality = useShownQuality(value.quality);
  const ageMs = useAge(value.heardAt);
  const { deviceType, chNums } = value.info;
  const sources = useMemo(() => sourcesOf(id, deviceType, chNums), [id, deviceType, chNums]);
  const description = value.info.description?.trim();
  return (
    <Stack gap="4">
      <PageHeading
        mb="0"
        broad
        lead={<ReturnLink otherwise="/sensors" />}
        title={name}
        note={[labels.deviceType(deviceType), description].filter(Boolean).join(" · ")}
        actions={
          <>
            <QualityMark quality={quality} ageMs={ageMs} words />
            <IconLink
              component={OwnLink}
              to={`/sensors/edit?id=${encodeURIComponent(id)}`}
              label={t("edit", { name })}
            >
              <Settings2Icon size={20} />
            </IconLink>
          </>
        }
      />
      <LatestBadges id={id} />
      <DeadLetters id={id} />
      <LogBoard sources={sources} choice={choice} onChoose={choose} />
    </Stack>
  );
}

function ComparedLog({ ids }: { ids: readonly string[] }) {
  const { t } = useTranslation("log");
  const [choice, choose] = useChoice();
  const sources = useMemo(() => ids.map((id) => ({ kind: "sensor", id }) as const), [ids]);
  return (
    <Stack gap="4">
      <PageHeading
        mb="0"
        broad
        lead={<ReturnLink otherwise="/sensors" />}
        title={t("compared", { count: ids.length })}
      />
      <LogBoard sources={sources} choice={choice} onChoose={choose} />
    </Stack>
  );
}
