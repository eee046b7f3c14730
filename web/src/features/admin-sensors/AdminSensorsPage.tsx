import { chakra } from "@chakra-ui/react";
import { deviceName } from "@mulkko/shared/rules/device-name";
import type { TFunction } from "i18next";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate } from "react-router-dom";
import { ALL_SENSORS, deleteAnySensor, type OwnedSensor } from "../../api/admin-sensors.ts";
import type { TableColumn } from "../../components/table.tsx";
import { useListAddress } from "../../components/table-address.ts";
import { AdminList } from "../../domain/admin-list/AdminList.tsx";
import { RowLink } from "../../domain/admin-list/ListTools.tsx";
import { useFoundRows } from "../../domain/admin-list/use-found-rows.ts";
import { cameFrom } from "../../domain/admin-list/use-return.ts";
import { useSurface } from "../../theme/use-surface.ts";
import { sshAlone } from "./chosen-sensors.ts";

const NOTHING = "--";

/** Return the address of the page that edits a sensor. */
const sensorAddress = ({ id }: Pick<OwnedSensor, "id">): string =>
  `/adminpage/sensor?${new URLSearchParams({ id: `${id}` })}`;

const degrees = (value: number | null | undefined) => (value ? value : null);

/**
 * Return the columns of the administrators' list; the sort keys are names of the farm API.
 *
 * @param narrow two columns fit: the second one shows what distinguishes sensors
 */
function sensorColumns(
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
    ...(["latitude", "longitude"] as const).map(
      (name): TableColumn<OwnedSensor> => ({
        key: name,
        head: t(`devices:${name}`),
        cell: ({ [name]: value }) => degrees(value) ?? NOTHING,
        sort: ({ [name]: value }) => degrees(value),
        numeric: true,
      }),
    ),
    {
      key: "username",
      head: t("column.owner"),
      cell: ({ username }) => username || NOTHING,
      sort: ({ username }) => username ?? null,
    },
    ...(narrow ? [uuid] : []),
  ];
}

const columnsOf = (sensor: OwnedSensor) => [
  sensor.id,
  deviceName(sensor),
  sensor.serial,
  sensor.deviceType,
  sensor.description,
  sensor.username,
];

/**
 * `/adminpage/sensors`: the sensors of all accounts, with search, sorting, detail links and bulk deletion.
 */
export function AdminSensorsPage() {
  const { t } = useTranslation(["admin-sensors", "admin", "common", "devices"]);
  const navigate = useNavigate();
  const { search } = useLocation();
  const address = useListAddress();
  const found = useFoundRows(ALL_SENSORS, address, columnsOf);
  const narrow = useSurface() === "phone";
  const columns = useMemo(() => sensorColumns(t, narrow), [t, narrow]);
  return (
    <AdminList
      texts={{
        title: t("title"),
        count: (count) => t("count", { count }),
        search: t("search"),
        add: t("add"),
        none: t("none"),
        nothingFound: t("nothingFound"),
      }}
      address={address}
      found={found}
      columns={columns}
      nameOf={deviceName}
      onOpen={(sensor) => void navigate(sensorAddress(sensor), { state: cameFrom(search) })}
      add={{ to: "/adminpage/sensor/add", state: cameFrom(search) }}
      afterPress={sshAlone}
      deletion={{
        remove: deleteAnySensor,
        // Many farms have a "Soil 1": owner and serial distinguish them.
        nameOf: (sensor) => [deviceName(sensor), sensor.serial, sensor.username].filter(Boolean).join(" · "),
        texts: ({ size: count }) => ({
          title: t("delete.title", { count }),
          question: t("delete.text", { count }),
          confirmLabel: t("delete.confirm", { count }),
        }),
      }}
    />
  );
}
