import { Button, chakra, Flex, Grid, Stack, Text } from "@chakra-ui/react";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { MAX_SENSORS_PER_CHANNEL } from "@mulkko/shared/rules/valve";
import { MAX_VALVE_NAME } from "@mulkko/shared/rules/valve-name";
import { PlusIcon, XIcon } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { CheckField } from "../../components/choice.tsx";
import { TextField } from "../../components/field.tsx";
import { useLive } from "../../live/hooks.ts";
import {
  type ChannelFields,
  type ChannelNumber,
  chosenChannels,
  fieldOfChannel,
  isFull,
  mergeSensors,
  nameFieldOf,
} from "./controller-form.ts";
import { SensorDialog } from "./SensorDialog.tsx";
import type { ControllerForm } from "./use-controller-form.ts";

interface ChannelsFieldProps {
  control: ControllerForm;
  /** Stored channels; all null for a controller that is not registered yet. */
  server: ChannelFields;
  controllerId: string | null;
  /** Channels that can be selected. */
  offered: readonly ChannelNumber[];
  /** Channel whose dialog is open initially. */
  adding?: ChannelNumber | null;
  /** True if the user came to edit the channels: the page scrolls to them. */
  first?: boolean;
  /** Channel whose name gets the focus. */
  naming?: ChannelNumber | null;
  /** Remove a sensor that is stored on the server. */
  onTakeOff?: (number: ChannelNumber, sensorId: string, name: string) => void;
}

/** Select the channels of a controller and the sensors of each channel. */
export function ChannelsField(props: ChannelsFieldProps) {
  const { server, controllerId, offered, first = false, naming = null, onTakeOff } = props;
  const { form, unfit } = props.control;
  const fields = form.values;
  const { t } = useTranslation(["controller-edit", "common"]);
  const [adding, setAdding] = useState<ChannelNumber | null>(props.adding ?? null);
  const place = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    if (!first) return;
    // Wait until the page has scrolled to its top, as each new page does.
    const frame = requestAnimationFrame(() => place.current?.scrollIntoView?.({ block: "center" }));
    return () => cancelAnimationFrame(frame);
  }, [first]);
  useEffect(() => {
    if (naming === null) return;
    // After the same scroll.
    const frame = requestAnimationFrame(() => {
      place.current?.querySelector<HTMLElement>("[data-naming] input")?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, [naming]);
  const set = (number: ChannelNumber, sensorIds: readonly string[]) =>
    form.set(fieldOfChannel(number), sensorIds);
  const sensorsOf = (number: ChannelNumber) => fields[fieldOfChannel(number)] ?? [];
  const takeOff = (number: ChannelNumber, id: string, name: string) => {
    if (onTakeOff && server[fieldOfChannel(number)]?.includes(id)) onTakeOff(number, id, name);
    else {
      set(
        number,
        sensorsOf(number).filter((each) => each !== id),
      );
    }
  };
  const isAll = offered.every((number) => fields[fieldOfChannel(number)] !== null);
  /** Select all offered channels; if all are selected, return to the server's channels. */
  const chooseAll = () => {
    for (const number of offered) {
      form.set(fieldOfChannel(number), isAll ? server[fieldOfChannel(number)] : sensorsOf(number));
    }
  };
  return (
    <chakra.fieldset
      ref={place}
      display="grid"
      gap="3"
      minW="0"
      p="0"
      borderWidth="0"
      css={{ "& > legend": { mb: "1.5", p: "0", fontSize: "label", fontWeight: "medium" } }}
      disabled={form.busy}
    >
      <legend>{t("channels.title")}</legend>
      <Grid
        templateColumns="repeat(auto-fill, minmax(5rem, 1fr))"
        whiteSpace="nowrap"
        rowGap="0"
        columnGap="2"
        css={{ "& > :first-child": { gridColumn: "1 / -1" } }}
      >
        <CheckField label={t("channels.all")} checked={isAll} onChange={chooseAll} />
        {offered.map((number) => (
          <CheckField
            key={number}
            label={t("common:valve.channel", { number })}
            checked={fields[fieldOfChannel(number)] !== null}
            disabled={server[fieldOfChannel(number)] !== null}
            onChange={(chosen) => form.set(fieldOfChannel(number), chosen ? [] : null)}
          />
        ))}
      </Grid>
      {chosenChannels(server).length > 0 && (
        <Text color="fg.muted" fontSize="caption">
          {t("channels.locked")}
        </Text>
      )}
      <Stack as="ul" gap="3">
        {chosenChannels(fields).map((number) => (
          <Channel
            key={number}
            number={number}
            sensorIds={sensorsOf(number)}
            unfit={unfit}
            // A channel has an id, and can have a name, once the farm API has stored it.
            name={server[fieldOfChannel(number)] === null ? undefined : fields[nameFieldOf(number)]}
            naming={naming === number}
            onName={(name) => form.set(nameFieldOf(number), name)}
            onAdd={() => setAdding(number)}
            onClear={() => set(number, [])}
            onTakeOff={(id, name) => takeOff(number, id, name)}
          />
        ))}
      </Stack>
      {adding !== null && (
        <SensorDialog
          number={adding}
          controllerType={fields.type}
          controllerId={controllerId}
          present={sensorsOf(adding)}
          onAdd={(id) => {
            set(adding, mergeSensors(sensorsOf(adding), [id]));
            setAdding(null);
          }}
          onClose={() => setAdding(null)}
        />
      )}
    </chakra.fieldset>
  );
}

interface ChannelProps {
  number: ChannelNumber;
  sensorIds: readonly string[];
  unfit: ReadonlySet<string>;
  name: string | undefined;
  naming: boolean;
  onName: (name: string) => void;
  onAdd: () => void;
  onClear: () => void;
  onTakeOff: (id: string, name: string) => void;
}

function Channel({
  number,
  sensorIds,
  unfit,
  name,
  naming,
  onName,
  onAdd,
  onClear,
  onTakeOff,
}: ChannelProps) {
  const { t } = useTranslation(["controller-edit", "common"]);
  const full = isFull(sensorIds);
  const adds = useRef<HTMLButtonElement>(null);
  // The clicked button disappears or is disabled: move the keyboard focus here.
  const moveFocus = () => requestAnimationFrame(() => isFocusLost() && adds.current?.focus());
  return (
    <Stack as="li" gap="2" py="3" px="3.5" borderWidth="1px" rounded="md" data-testid="channel">
      <Flex
        wrap="wrap"
        align="center"
        gap="2"
        css={{ "& > h2": { flex: "1", minW: "12", fontWeight: "650" } }}
      >
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
      </Flex>
      {name !== undefined && (
        <div data-naming={naming || undefined}>
          <TextField
            label={t("channels.name")}
            hint={t("channels.nameHint")}
            maxLength={MAX_VALVE_NAME}
            value={name}
            onChange={(event) => onName(event.target.value)}
          />
        </div>
      )}
      {full && (
        <Text color="alarm.p1.fg" fontSize="label" fontWeight="medium" role="status">
          {t("channels.full", { count: MAX_SENSORS_PER_CHANNEL })}
        </Text>
      )}
      {sensorIds.length === 0 ? (
        <Text color="fg.muted">{t("channels.none")}</Text>
      ) : (
        <Flex as="ul" wrap="wrap" gap="2">
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
        </Flex>
      )}
    </Stack>
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
    <Flex
      as="li"
      align="center"
      minW="0"
      maxW="full"
      ps="3"
      borderWidth="1px"
      borderColor="border.strong"
      rounded="md"
      bg="bg.panel"
      css={{
        "& > span": { minW: "0", overflowWrap: "anywhere", lineHeight: "1.3" },
        "& small": { color: "fg.muted", fontSize: "caption" },
        "&[data-unfit]": { borderStyle: "dashed", borderColor: "alarm.p1.fg" },
        "& em": { display: "block", color: "alarm.p1.fg", fontSize: "caption", fontStyle: "normal" },
        "& > button": {
          display: "grid",
          flex: "none",
          placeItems: "center",
          w: "max(2.75rem, var(--finger))",
          h: "max(2.75rem, var(--finger))",
          cursor: "pointer",
        },
        "& > button:hover": { bg: "bg.sunk" },
      }}
      data-testid="channel-sensor"
      data-unfit={unfit || undefined}
    >
      <span>
        {info && <small>{info.serial}</small>} {name}
        {unfit && <em>{t("channels.unfit")}</em>}
      </span>
      <button type="button" aria-label={t("channels.remove", { name })} onClick={() => onTakeOff(id, name)}>
        <XIcon size={18} />
      </button>
    </Flex>
  );
}
