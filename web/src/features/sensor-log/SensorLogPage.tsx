import { Stack } from "@chakra-ui/react";
import type { SensorValue } from "@mulkko/shared/live/devices";
import { countedQuality, shownTime } from "@mulkko/shared/live/value-age";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { Settings2Icon } from "lucide-react";
import { type ReactNode, useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { IconLink } from "../../components/icon-button.tsx";
import { PageHeading, type PageHeadingProps, ReturnLink } from "../../components/page-heading.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { ClockFault } from "../../domain/device/ClockFault.tsx";
import { DeadLetters } from "../../domain/device/DeadLetters.tsx";
import { UntilKnown } from "../../domain/farm/UntilKnown.tsx";
import { FormPageEmpty } from "../../domain/form/form-page.tsx";
import { LatestBadges } from "../../domain/log/LatestBadges.tsx";
import { LogBoard } from "../../domain/log/LogBoard.tsx";
import { useAddressChoice } from "../../domain/log/range/RangePicker.tsx";
import type { LogSource } from "../../domain/log/sources/source.ts";
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
      <FormPageEmpty title={t("gone")} to="/sensors" toList={t("toList")} />
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

interface LogFrameProps extends Pick<PageHeadingProps, "title" | "note" | "actions"> {
  sources: readonly LogSource[];
  /** Between the heading and the charts. */
  children?: ReactNode;
  /** After the charts. */
  foot?: ReactNode;
}

/** Frame of both logs: heading, content and charts, with the range in the address. */
function LogFrame({ sources, children, foot, ...heading }: LogFrameProps) {
  return (
    <Stack gap="4">
      <PageHeading mb="0" broad lead={<ReturnLink otherwise="/sensors" />} {...heading} />
      {children}
      <LogBoard sources={sources} {...useAddressChoice()} />
      {foot}
    </Stack>
  );
}

function SensorLog({ id, value }: { id: string; value: SensorValue }) {
  const { t } = useTranslation("sensors");
  const labels = useLabels();
  const name = deviceName(value.info);
  const quality = useShownQuality(countedQuality(value));
  const ageMs = useAge(shownTime(value));
  const { deviceType, chNums } = value.info;
  const sources = useMemo(() => sourcesOf(id, deviceType, chNums), [id, deviceType, chNums]);
  const description = value.info.description?.trim();
  return (
    <LogFrame
      sources={sources}
      foot={<DeadLetters id={id} />}
      title={name}
      note={[labels.deviceType(deviceType), description].filter(Boolean).join(" · ")}
      actions={
        <>
          <QualityMark quality={quality} ageMs={ageMs} texts />
          <IconLink
            component={OwnLink}
            to={`/sensors/edit?id=${encodeURIComponent(id)}`}
            label={t("edit", { name })}
          >
            <Settings2Icon size={20} />
          </IconLink>
        </>
      }
    >
      <LatestBadges id={id} />
      <ClockFault since={value.clockWrongSince} />
    </LogFrame>
  );
}

function ComparedLog({ ids }: { ids: readonly string[] }) {
  const { t } = useTranslation("log");
  const sources = useMemo(() => ids.map((id) => ({ kind: "sensor", id }) as const), [ids]);
  return <LogFrame sources={sources} title={t("compared", { count: ids.length })} />;
}
