import { Button } from "@chakra-ui/react";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { MAX_SENSORS_PER_CHANNEL } from "@mulkko/shared/rules/valve";
import { MAX_VALVE_NAME } from "@mulkko/shared/rules/valve-name";
import { useEffect, useRef, useState } from "react";
import { CheckField } from "../../components/choice.tsx";
import { TextField } from "../../components/field.tsx";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useLive } from "../../live/hooks.ts";
import { CloseIcon, PlusIcon } from "../../ui/icon/icons.tsx";
import {
  areAllChosen,
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
  /** Stored channels; all null for a controller that is not registered yet. */
  server: ChannelFields;
  controllerType: string;
  controllerId: string | null;
  /** Channels that can be selected. */
  offered: readonly ChannelNumber[];
  /** Sensors that a controller of this type does not accept. */
  unfit: ReadonlySet<string>;
  /** Channel whose dialog is open initially. */
  adding?: ChannelNumber | null;
  /** True if the user came to edit the channels: the page scrolls to them. */
  first?: boolean;
  disabled: boolean;
  onChange: (fields: ChannelFields) => void;
  /** Names of the valves as typed; absent for a controller that is not registered yet. */
  names?: NameFields;
  onName?: (number: ChannelNumber, name: string) => void;
  /** Remove a sensor that is stored on the server. */
  onTakeOff?: (number: ChannelNumber, sensorId: string, name: string) => void;
}

/** Select the channels of a controller and the sensors of each channel. */
export function ChannelsField(props: ChannelsFieldProps) {
  const {
    fields,
    server,
    controllerType,
    controllerId,
    offered,
    unfit,
    disabled,
    onChange,
    onTakeOff,
    names,
    onName,
  } = props;
  const { t } = useTranslation(["controller-edit", "common"]);
  const [adding, setAdding] = useState<ChannelNumber | null>(props.adding ?? null);
  const place = useRef<HTMLFieldSetElement>(null);
  const { first = false } = props;
  useEffect(() => {
    if (!first) return;
    // Wait until the page has scrolled to its top, as each new page does.
    const frame = requestAnimationFrame(() => place.current?.scrollIntoView?.({ block: "center" }));
    return () => cancelAnimationFrame(frame);
  }, [first]);
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
    <fieldset ref={place} className="channels" disabled={disabled}>
      <legend>{t("channels.title")}</legend>
      <div className="channels__numbers">
        <CheckField
          label={t("channels.all")}
          checked={areAllChosen(fields, offered)}
          onChange={() => onChange(toggleAll(fields, server, offered))}
        />
        {offered.map((number) => (
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
            // A channel has an id, and can have a name, once the farm API has stored it.
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
  // The clicked button disappears or is disabled: move the keyboard focus here.
  const moveFocus = () => requestAnimationFrame(() => isFocusLost() && adds.current?.focus());
  return (
    <li className="channels__channel" data-testid="channel">
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
            moveFocus();
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
                moveFocus();
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
    <li className="channels__chip" data-testid="channel-sensor" data-unfit={unfit || undefined}>
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
