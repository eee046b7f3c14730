import { chakra } from "@chakra-ui/react";
import type { SensorValue } from "@mulkko/shared/live/devices";
import { ChartLineIcon, Settings2Icon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { firmwareOf } from "../../domain/reading/reading.ts";
import { useTimeWords } from "../../domain/time/use-time-words.ts";
import { OwnLink } from "../../domain/view-as/OwnLink.tsx";
import { useLivePart } from "../../live/hooks.ts";
import type { SensorRow } from "./model.ts";

const firmware = (value: SensorValue | undefined) => (value ? firmwareOf(value.reading) : null);
const measuredAt = (value: SensorValue | undefined) => value?.at ?? null;

export function FirmwareCell({ id }: { id: string }) {
  return useLivePart("sensor", id, firmware);
}

/** Show the time of the newest measurement in the account's time zone. */
export function TimeCell({ id }: { id: string }) {
  const words = useTimeWords();
  const at = useLivePart("sensor", id, measuredAt);
  return at === null ? "--" : words.dayTime(Date.parse(at));
}

export function ActionsCell({ row }: { row: SensorRow }) {
  const { t } = useTranslation("sensor-table");
  const { id, name, deviceType } = row;
  const query = new URLSearchParams({ id, deviceType });
  return (
    <chakra.span
      display="inline-flex"
      css={{
        "& > a": {
          display: "grid",
          placeItems: "center",
          w: "12",
          h: "12",
          my: "-1.5",
          rounded: "card",
          color: "fg.muted",
        },
        "& > a:hover": { color: "fg" },
      }}
    >
      <Link to={`/sensors/type?${query}`} aria-label={t("chart", { name })} title={t("chart", { name })}>
        <ChartLineIcon size={20} />
      </Link>
      <OwnLink
        to={`/sensors/edit?id=${encodeURIComponent(id)}`}
        aria-label={t("edit", { name })}
        title={t("edit", { name })}
      >
        <Settings2Icon size={20} />
      </OwnLink>
    </chakra.span>
  );
}
