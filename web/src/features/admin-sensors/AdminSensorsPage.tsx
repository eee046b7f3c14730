import { deviceName } from "@mulkko/shared/rules/device-name";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate } from "react-router-dom";
import { ALL_SENSORS, deleteAnySensor, type OwnedSensor } from "../../api/admin-sensors.ts";
import { type ListAddress, useListAddress } from "../../components/table-address.ts";
import { AdminList } from "../../domain/admin-list/AdminList.tsx";
import { type FoundRows, useFoundRows } from "../../domain/admin-list/use-found-rows.ts";
import { cameFrom } from "../../domain/admin-list/use-return.ts";
import { useSurface } from "../../theme/use-surface.ts";
import { sshAlone } from "./chosen-sensors.ts";
import { sensorAddress, sensorColumns } from "./sensor-columns.tsx";

const columnsOf = (sensor: OwnedSensor) => [
  sensor.id,
  deviceName(sensor),
  sensor.serial,
  sensor.deviceType,
  sensor.description,
  sensor.username,
];

/** Load the sensors of all accounts with the search, page and order in the address. */
const useAllSensors = (address: ListAddress): FoundRows<OwnedSensor> =>
  useFoundRows(ALL_SENSORS, address, columnsOf);

/**
 * `/adminpage/sensors`: the sensors of all accounts, with search, sorting, detail links and bulk deletion.
 */
export function AdminSensorsPage() {
  const { t } = useTranslation(["admin-sensors", "admin", "common", "devices"]);
  const navigate = useNavigate();
  const { search } = useLocation();
  const address = useListAddress();
  const found = useAllSensors(address);
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
          title: t("delete.title"),
          question: t("delete.text", { count }),
          confirmLabel: t("delete.confirm", { count }),
        }),
      }}
    />
  );
}
