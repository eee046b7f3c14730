import { chakra } from "@chakra-ui/react";
import { deviceName } from "@mulkko/shared/rules/device-name";
import type { TFunction } from "i18next";
import type { OwnedSensor } from "../../api/admin-sensors.ts";
import type { TableColumn } from "../../components/table.tsx";
import { RowLink } from "../../domain/admin-list/ListTools.tsx";

const NOTHING = "--";

/** Return the address of the page that edits a sensor. */
export const sensorAddress = ({ id }: Pick<OwnedSensor, "id">): string =>
  `/adminpage/sensor?${new URLSearchParams({ id: `${id}` })}`;

const degrees = (value: number | null | undefined) => (value ? value : null);

/**
 * Return the columns of the administrators' list; the sort keys are names of the farm API.
 *
 * @param narrow two columns fit: the second one shows what distinguishes sensors
 */
export function sensorColumns(
  t: TFunction<["admin-sensors", "common", "devices"]>,
  narrow: boolean,
): TableColumn<OwnedSensor>[] {
  const uuid: TableColumn<OwnedSensor> = {
    key: "id",
    head: t("column.id"),
    cell: ({ id }) => (
      <chakra.code color="fg.muted" fontSize="label">
        {id}
      </chakra.code>
    ),
    sort: ({ id }) => `${id}`,
  };
  return [
    {
      key: "name",
      head: t("devices:name"),
      cell: (sensor) => (
        <RowLink data-testid="sensor-link" to={sensorAddress(sensor)}>
          {deviceName(sensor)}
        </RowLink>
      ),
      sort: deviceName,
    },
    ...(narrow ? [] : [uuid]),
    {
      key: "deviceType",
      head: t("devices:deviceType"),
      cell: ({ deviceType }) => deviceType,
      sort: ({ deviceType }) => deviceType,
    },
    {
      key: "serial",
      head: t("devices:serial"),
      cell: ({ serial }) => serial,
      sort: ({ serial }) => Number(serial),
    },
    {
      key: "description",
      head: t("devices:description"),
      cell: ({ description }) => (
        <chakra.span
          display="block"
          maxW="64"
          overflow="hidden"
          textOverflow="ellipsis"
          title={description ?? undefined}
        >
          {description?.trim() || NOTHING}
        </chakra.span>
      ),
      sort: ({ description }) => description ?? null,
    },
    {
      key: "latitude",
      head: t("devices:latitude"),
      cell: ({ latitude }) => degrees(latitude) ?? NOTHING,
      sort: ({ latitude }) => degrees(latitude),
      numeric: true,
    },
    {
      key: "longitude",
      head: t("devices:longitude"),
      cell: ({ longitude }) => degrees(longitude) ?? NOTHING,
      sort: ({ longitude }) => degrees(longitude),
      numeric: true,
    },
    {
      key: "username",
      head: t("column.owner"),
      cell: ({ username }) => username || NOTHING,
      sort: ({ username }) => username ?? null,
    },
    ...(narrow ? [uuid] : []),
  ];
}
