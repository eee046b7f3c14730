import { Button } from "@chakra-ui/react";
import type { WateringPreview } from "@mulkko/shared/rest/waterings";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Refreshed } from "../../api/use-refreshed.ts";
import { ErrorNote } from "../../components/alerts.tsx";
import { Card } from "../../components/card.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { NO_FARM } from "../../domain/farm/farm-members.ts";
import { useLabels } from "../../i18n/labels.ts";
import { Timeline } from "./Timeline.tsx";
import { useChannelNames } from "./use-farms.ts";
import { useOpenChannels } from "./use-open-channels.ts";

export interface PlanCardProps {
  preview: Refreshed<WateringPreview>;
  /** One farm, or all of them for null. */
  farmId: string | null;
  /** Channels of that farm. */
  channels?: ReadonlySet<string>;
}

/** The part of a preview that is a farm's. Overlaps with other farms' water on the same controller stay counted. */
function ofFarm(
  preview: WateringPreview,
  farmId: string | null,
  channels?: ReadonlySet<string>,
): WateringPreview {
  if (farmId === null) return preview;
  const isMine = ({ farmIds }: { farmIds: readonly string[] }): boolean =>
    farmId === NO_FARM ? farmIds.length === 0 : farmIds.includes(farmId);
  return {
    ...preview,
    planned: preview.planned.filter(isMine),
    untimed: preview.untimed.filter(isMine),
    unread: preview.unread.filter((id) => channels?.has(id)),
  };
}

/** Show the next 24 hours. The last known plan stays while a newer one cannot be loaded, with a note. */
export function PlanCard({ preview, farmId, channels }: PlanCardProps) {
  const { t } = useTranslation(["irrigation", "common"]);
  const labels = useLabels();
  const names = useChannelNames();
  const open = useOpenChannels();
  const { value, failure } = preview;
  const mine = useMemo(() => {
    if (value === null) return null;
    const farm = ofFarm(value, farmId, channels);
    // What has closed since the plan was asked for does not run any more.
    return {
      ...farm,
      planned: farm.planned.filter((plan) => plan.kind !== "running" || open.has(plan.channelId)),
    };
  }, [value, farmId, channels, open]);
  return (
    <Card title={t("timeline.title")}>
      {failure !== null && (
        <ErrorNote
          action={
            <Button size="sm" onClick={preview.again}>
              {t("common:action.retry")}
            </Button>
          }
        >
          {t("timeline.failed")} {labels.error(failure)}
        </ErrorNote>
      )}
      {mine ? <Timeline preview={mine} names={names} /> : failure === null && <Skeleton height="6rem" />}
    </Card>
  );
}
