import type { FieldSpec } from "@mulkko/shared/catalogue/device-type";
import type { TFunction } from "i18next";
import type { TableColumn } from "../../components/table.tsx";
import { LiveMark, LiveReading } from "../../domain/reading/LiveReading.tsx";
import type { Labels } from "../../i18n/labels.ts";
import { ActionsCell, FirmwareCell, TimeCell } from "./cells.tsx";
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
