import { Button } from "@chakra-ui/react";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { MAX_SENSORS_PER_CHANNEL } from "@mulkko/shared/rules/valve";
import { MAX_VALVE_NAME } from "@mulkko/shared/rules/valve-name";
import { useRef, useState } from "react";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useLive } from "../../live/hooks.ts";
import { CheckField } from "../../ui/form/check-field.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import { CloseIcon, PlusIcon } from "../../ui/icon/icons.tsx";
import {
  areAllChosen,
  CHANNEL_NUMBERS,
  type ChannelFields,
  type ChannelNumber,
  chosenChannels,
  fieldOfChannel,
  isFull,
  mergeSensors,
  type NameFields,
  nameFieldOf,
  toggleAll,
  toggleChannel,
} from "./channel-form.ts";
import { SensorDialog } from "./SensorDialog.tsx";
import "./channels.css";

export interface ChannelsFieldProps {
  fields: ChannelFields;
  /** As the server has them; all null for a controller that is not registered yet. */
  server: ChannelFields;
  controllerType: string;
  controllerId: string | null;
  /** Sensors that a controller of this type does not take. */
  unfit: ReadonlySet<string>;
  /** The channel whose dialog stands open at first. */
  adding?: ChannelNumber | null;
  disabled: boolean;
  onChange: (fields: ChannelFields) => void;
  /** The valves' names, as they are typed; absent for a controller that is not registered yet. */
  names?: NameFields;
  onName?: (number: ChannelNumber, name: string) => void;
  /** A cross at a sensor that the server has there. */
  onTakeOff?: (number: ChannelNumber, sensorId: string, name: string) => void;
}

/** Which of the eight channels a controller has, and which sensors sit on each. */
export function ChannelsField(props: ChannelsFieldProps) {
  const {
    fields,
    server,
    controllerType,
    controllerId,
    unfit,
    disabled,
    onChange,
    onTakeOff,
    names,
    onName,
  } = props;
  const { t } = useTranslation(["controller-edit", "common"]);
  const [adding, setAdding] = useState<ChannelNumber | null>(props.adding ?? null);
  const set = (number: ChannelNumber, sensorIds: readonly string[]) =>
    onChange({ ...fields, [fieldOfChannel(number)]: sensorIds });
  const takeOff = (number: ChannelNumber, id: string, name: string) => {
    if (server[fieldOfChannel(number)]?.includes(id) && onTakeOff) onTakeOff(number, id, name);
    else
      set(
        number,
        (fields[fieldOfChannel(number)] ?? []).filter((each) => each !== id),
      );
  };
  const present = adding === null ? [] : (fields[fieldOfChannel(adding)] ?? []);
  return (
    <fieldset className="channels" disabled={disabled}>
      <legend className="field__label">{t("channels.title")}</legend>
      <div className="channels__numbers">
        <CheckField
          label={t("channels.all")}
          checked={areAllChosen(fields)}
          onChange={() => onChange(toggleAll(fields, server))}
        />
        {CHANNEL_NUMBERS.map((number) => (
          <CheckField
            key={number}
            label={t("common:valve.channel", { number })}
            checked={fields[fieldOfChannel(number)] !== null}
            disabled={server[fieldOfChannel(number)] !== null}
            onChange={() => onChange(toggleChannel(fields, server, number))}
          />
        ))}
      </div>
      {chosenChannels(server).length > 0 && <p className="channels__hint">{t("channels.locked")}</p>}
      <ul className="channels__list">
        {chosenChannels(fields).map((number) => (
          <Channel
            key={number}
            number={number}
            sensorIds={fields[fieldOfChannel(number)] ?? []}
            unfit={unfit}
            // A channel has an id, and so can have a name, once the farm API has it.
            name={server[fieldOfChannel(number)] === null ? undefined : names?.[nameFieldOf(number)]}
            onName={(name) => onName?.(number, name)}
            onAdd={() => setAdding(number)}
            onClear={() => set(number, [])}
            onTakeOff={(id, name) => takeOff(number, id, name)}
          />
        ))}
      </ul>
      {adding !== null && (
        <SensorDialog
          number={adding}
          controllerType={controllerType}
          controllerId={controllerId}
          present={present}
          onAdd={(id) => {
            set(adding, mergeSensors(present, [id]));
            setAdding(null);
          }}
          onClose={() => setAdding(null)}
        />
      )}
    </fieldset>
  );
}

interface ChannelProps {
  number: ChannelNumber;
  sensorIds: readonly string[];
  unfit: ReadonlySet<string>;
  name: string | undefined;
  onName: (name: string) => void;
  onAdd: () => void;
  onClear: () => void;
  onTakeOff: (id: string, name: string) => void;
}

function Channel({ number, sensorIds, unfit, name, onName, onAdd, onClear, onTakeOff }: ChannelProps) {
  const { t } = useTranslation(["controller-edit", "common"]);
  const full = isFull(sensorIds);
  const adds = useRef<HTMLButtonElement>(null);
  // What was pressed goes away, or has nothing left to do: a keyboard goes on from here.
  const goOn = () => requestAnimationFrame(() => isFocusLost() && adds.current?.focus());
  return (
    <li className="channels__channel">
      <div className="channels__head">
        <h2>{t("common:valve.channel", { number })}</h2>
        <Button
          ref={adds}
          type="button"
          size="sm"
          variant="outline"
          disabled={full}
          aria-label={t("channels.addTo", { number })}
          onClick={onAdd}
        >
          <PlusIcon />
          {t("channels.add")}
        </Button>
        <Button
          type="button"
          size="sm"
          variant="ghost"
          disabled={sensorIds.length === 0}
          aria-label={t("channels.clearOf", { number })}
          onClick={() => {
            onClear();
            goOn();
          }}
        >
          {t("channels.clear")}
        </Button>
      </div>
      {name !== undefined && (
        <TextField
          label={t("channels.name")}
          hint={t("channels.nameHint")}
          maxLength={MAX_VALVE_NAME}
          value={name}
          onChange={(event) => onName(event.target.value)}
        />
      )}
      {full && (
        <p className="channels__full" role="status">
          {t("channels.full", { count: MAX_SENSORS_PER_CHANNEL })}
        </p>
      )}
      {sensorIds.length === 0 ? (
        <p className="channels__none">{t("channels.none")}</p>
      ) : (
        <ul className="channels__chips">
          {sensorIds.map((id) => (
            <Chip
              key={id}
              id={id}
              unfit={unfit.has(id)}
              onTakeOff={(...what) => {
                onTakeOff(...what);
                goOn();
              }}
            />
          ))}
        </ul>
      )}
    </li>
  );
}

function isFocusLost(): boolean {
  const { activeElement, body } = document;
  return activeElement === body || (activeElement instanceof HTMLButtonElement && activeElement.disabled);
}

interface ChipProps {
  id: string;
  unfit: boolean;
  onTakeOff: (id: string, name: string) => void;
}

function Chip({ id, unfit, onTakeOff }: ChipProps) {
  const { t } = useTranslation("controller-edit");
  const info = useLive("sensor", id)?.info;
  const name = info ? deviceName(info) : id;
  return (
    <li className="channels__chip" data-unfit={unfit || undefined}>
      <span>
        {info && <small>{info.serial}</small>} {name}
        {unfit && <em>{t("channels.unfit")}</em>}
      </span>
      <button type="button" aria-label={t("channels.remove", { name })} onClick={() => onTakeOff(id, name)}>
        <CloseIcon size={18} />
      </button>
    </li>
  );
}
