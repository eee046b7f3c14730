import { useCallback } from "react";
import { useTranslation } from "../../i18n/use-translation.ts";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";
import { useExtension } from "../../rest/extensions.ts";
import { type Faults, type FormControl, useForm } from "../../ui/form/use-form.ts";
import { CHANNEL_NUMBERS, type ChannelFields, chosenChannels, fieldOfChannel } from "./channel-form.ts";
import { type ControllerValues, controllerFaults, type Offers } from "./controller-form.ts";
import { maySit } from "./sensor-search.ts";

/** What the farm API takes of a controller beyond the plain contract. */
export function useOffers(): Offers {
  return {
    farms: useExtension("controller-farm"),
    drivers: useExtension("drivers"),
  };
}

const SENSORS = ["sensor"] as const;

/** The device types of the account's sensors, by id. */
export function useSensorTypes(): ReadonlyMap<string, string> {
  return useLiveSelection(
    SENSORS,
    useCallback(
      ({ sensors }: LiveFarm) =>
        new Map([...sensors].map(([id, { info }]): [string, string] => [id, info.deviceType])),
      [],
    ),
    (a, b) => a.size === b.size && [...a].every(([id, type]) => b.get(id) === type),
  );
}

/**
 * The chosen sensors that a controller of this type does not take. Who sits there already may stay, as long as the
 * type does; a sensor of another account's that nobody here knows is the farm API's to judge.
 */
export function unfitSensors(
  fields: ChannelFields & { readonly type: string },
  before: (ChannelFields & { readonly type: string }) | null,
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

export interface ControllerFormOptions {
  readonly initial: ControllerValues;
  /** As the server has it; null for a controller that is not registered yet. */
  readonly before: ControllerValues | null;
  readonly draft: string;
  readonly submit: (values: ControllerValues) => Promise<void>;
  /** See `useForm`. */
  readonly saved: () => void;
}

export interface ControllerForm {
  readonly form: FormControl<ControllerValues>;
  readonly offers: Offers;
  readonly unfit: ReadonlySet<string>;
  setChannels(fields: ChannelFields): void;
}

/** A controller's form, new or edited. */
export function useControllerForm({
  initial,
  before,
  draft,
  submit,
  saved,
}: ControllerFormOptions): ControllerForm {
  const { t } = useTranslation("controller-edit");
  const offers = useOffers();
  const types = useSensorTypes();
  const form = useForm<ControllerValues>({
    initial,
    draft,
    conflictField: "serial",
    conflictWords: t("fault.serialTaken"),
    serverWords(field, sentence) {
      if (field === "type") return t("fault.typeSensors");
      if (field === "channels" || field.startsWith("channels.")) return t("fault.channels");
      if (field === "address" && sentence.includes("another")) return t("fault.addressTaken");
      return undefined;
    },
    rules(values) {
      const faults: Faults<ControllerValues> = {};
      const found = controllerFaults(values, offers);
      for (const field of ["name", "serial", "address"] as const) {
        const fault = found[field];
        if (fault) faults[field] = t(`fault.${fault}`);
      }
      if (unfitSensors(values, before, types).size > 0) faults.type = t("fault.typeSensors");
      return faults;
    },
    submit,
    saved,
  });
  return {
    form,
    offers,
    unfit: unfitSensors(form.values, before, types),
    setChannels(fields) {
      for (const number of CHANNEL_NUMBERS) {
        const field = fieldOfChannel(number);
        if (fields[field] !== form.values[field]) form.set(field, fields[field]);
      }
    },
  };
}
