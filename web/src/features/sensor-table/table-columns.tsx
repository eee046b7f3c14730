import { chakra } from "@chakra-ui/react";
import type { FieldSpec } from "@mulkko/shared/catalogue/device-type";
import type { SensorValue } from "@mulkko/shared/live/devices";
import type { TFunction } from "i18next";
import { ChartLineIcon, Settings2Icon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import type { TableColumn } from "../../components/table.tsx";
import { LiveMark, LiveReading } from "../../domain/reading/LiveReading.tsx";
import { firmwareOf } from "../../domain/reading/reading.ts";
import { useTimeWords } from "../../domain/time/use-time-words.ts";
import { OwnLink } from "../../domain/view-as/OwnLink.tsx";
import type { Labels } from "../../i18n/labels.ts";
import { useLivePart } from "../../live/hooks.ts";
import type { SensorRow } from "./model.ts";

/** Return the columns of a type: sensor, measurements, firmware, Live, Time, Actions. Cells are live. */
export function tableColumns(
  fields: readonly FieldSpec[],
  labels: Labels,
  t: TFunction<["sensor-table", "common"]>,
): TableColumn<SensorRow>[] {
  return [
    { key: "name", head: t("name"), cell: ({ name }) => name, sort: ({ name }) => name },
    {
      key: "serial",
      head: t("common:field.serial"),
      cell: ({ serial }) => serial,
      sort: ({ serial }) => serial,
    },
    ...fields.map(
      (field): TableColumn<SensorRow> => ({
        key: field.name,
        head: labels.field(field.name),
        cell: ({ id }) => <LiveReading id={id} field={field} where="log" size="body" />,
        sort: ({ values }) => values[field.name] ?? null,
        numeric: true,
      }),
    ),
    {
      key: "fwversion",
      head: t("common:field.fwversion"),
      cell: ({ id }) => <FirmwareCell id={id} />,
      sort: ({ firmware }) => firmware,
    },
    {
      key: "live",
      head: t("live"),
      cell: ({ id }) => <LiveMark id={id} words />,
      sort: ({ heardAt }) => (heardAt === null ? null : Date.parse(heardAt)),
    },
    {
      key: "at",
      head: t("common:field.createdDate"),
      cell: ({ id }) => <TimeCell id={id} />,
      sort: ({ at }) => (at === null ? null : Date.parse(at)),
    },
    { key: "actions", head: t("actions"), cell: (row) => <ActionsCell row={row} /> },
  ];
}

const firmware = (value: SensorValue | undefined) => (value ? firmwareOf(value.reading) : null);
const measuredAt = (value: SensorValue | undefined) => value?.at ?? null;

function FirmwareCell({ id }: { id: string }) {
  return useLivePart("sensor", id, firmware);
}

/** Show the time of the newest measurement in the account's time zone. */
function TimeCell({ id }: { id: string }) {
  const words = useTimeWords();
  const at = useLivePart("sensor", id, measuredAt);
  return at === null ? "--" : words.dayTime(Date.parse(at));
}

function ActionsCell({ row }: { row: SensorRow }) {
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
