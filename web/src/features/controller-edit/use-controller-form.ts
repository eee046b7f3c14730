import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { shallow } from "zustand/shallow";
import { useExtension } from "../../api/extensions.ts";
import { useOnlyFarmId } from "../../domain/farm/farms-by-name.ts";
import { type FormOptions, faultTexts, useForm } from "../../domain/form/use-form.ts";
import { useLiveSelection } from "../../live/hooks.ts";
import {
  type ControllerValues,
  chosenChannels,
  controllerFaults,
  EMPTY_CONTROLLER,
  fieldOfChannel,
} from "./controller-form.ts";
import { maySit } from "./SensorDialog.tsx";

const SENSORS = ["sensor"] as const;

/** Return the device types of the account's sensors, by id. */
function useSensorTypes(): ReadonlyMap<string, string> {
  return useLiveSelection(
    SENSORS,
    ({ sensors }) => new Map([...sensors].map(([id, { info }]) => [id, info.deviceType])),
    shallow,
  );
}

/**
 * Return the selected sensors that a controller of this type does not accept. Sensors that are assigned
 * already may stay while the type does. For an unknown sensor of another account the farm API decides.
 */
function unfitSensors(
  fields: ControllerValues,
  before: ControllerValues | null,
  types: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const unfit = new Set<string>();
  for (const number of chosenChannels(fields)) {
    const field = fieldOfChannel(number);
    const sat = before?.type === fields.type ? (before[field] ?? []) : [];
    for (const id of fields[field] ?? []) {
      const type = types.get(id);
      if (type !== undefined && !sat.includes(id) && !maySit(fields.type, type)) unfit.add(id);
    }
  }
  return unfit;
}

interface ControllerFormOptions
  extends Pick<
    FormOptions<ControllerValues>,
    "draft" | "failed" | "submit" | "saved" | "creates" | "version"
  > {
  /** Stored values; null for a controller that is not registered yet. */
  readonly before: ControllerValues | null;
}

/** Form of a new or existing controller. */
export function useControllerForm({ before, ...options }: ControllerFormOptions) {
  const { t } = useTranslation("controller-edit");
  const offers = { farms: useExtension("controller-farm"), drivers: useExtension("drivers") };
  const types = useSensorTypes();
  const onlyFarm = useOnlyFarmId();
  const empty = useMemo(
    () => ({ ...EMPTY_CONTROLLER, clusterId: onlyFarm ?? EMPTY_CONTROLLER.clusterId }),
    [onlyFarm],
  );
  const form = useForm<ControllerValues>({
    ...options,
    values: before ?? empty,
    conflictField: "serial",
    conflictTexts: t("fault.serialTaken"),
    serverTexts(field, sentence) {
      if (field === "type") return t("fault.typeSensors");
      if (field === "channels" || field.startsWith("channels.")) return t("fault.channels");
      if (field === "address" && sentence.includes("another")) return t("fault.addressTaken");
      return undefined;
    },
    rules: (values) => ({
      ...faultTexts(controllerFaults(values, offers), (fault) => t(`fault.${fault}`)),
      ...(unfitSensors(values, before, types).size > 0 && { type: t("fault.typeSensors") }),
    }),
  });
  return {
    form,
    offers,
    unfit: unfitSensors(form.values, before, types),
  };
}
export type ControllerForm = ReturnType<typeof useControllerForm>;
