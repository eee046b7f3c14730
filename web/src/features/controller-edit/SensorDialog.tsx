import { Button, chakra, Text } from "@chakra-ui/react";
import {
  CONTROLLER_TYPES,
  isControllerType,
  takesSensorType,
} from "@mulkko/shared/catalogue/controller-types";
import type { ChannelValue, ControllerValue, SensorValue } from "@mulkko/shared/live/devices";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClaim } from "../../api/knowledge.ts";
import { Modal } from "../../components/dialog.tsx";
import { SearchSelect } from "../../components/search-select.tsx";
import { byName } from "../../i18n/by-name.ts";
import { useLabels } from "../../i18n/labels.ts";
import { searchFor } from "../../i18n/search.ts";
import { useLiveSelection } from "../../live/hooks.ts";

const KINDS = ["sensor", "controller", "channel"] as const;

const FITTING = {
  position: "relative",
  maxH: "15rem",
  overflowY: "auto",
  borderWidth: "1px",
  rounded: "card",
  "& > li + li": { borderTopWidth: "1px" },
  "& button": { w: "full", minH: "12", px: "3", py: "2", textAlign: "start", cursor: "pointer" },
  "& button:hover": { bg: "bg.sunk" },
  "& button:disabled": { color: "fg.subtle", cursor: "default", bg: "transparent" },
};

/** Height of the two lists, CSS px (the specification). */
const LIST_HEIGHT = 100;

/** Name the sensor types that a controller accepts; empty for an unknown type. */
export function useSensorKinds(controllerType: string): string {
  const labels = useLabels();
  if (!isControllerType(controllerType)) return "";
  return CONTROLLER_TYPES[controllerType].sensorTypes.map((each) => labels.deviceType(each)).join(", ");
}

interface SensorDialogProps {
  /** Channel that gets the sensor. */
  number: number;
  controllerType: string;
  /** Null for a controller that is not registered yet. */
  controllerId: string | null;
  /** Sensors already on this channel in the form. */
  present: readonly string[];
  onAdd: (sensorId: string) => void;
  onClose: () => void;
}

/** Find a sensor by its serial or name, among the types that the controller accepts. */
export function SensorDialog(props: SensorDialogProps) {
  const { number, controllerType, controllerId, present, onAdd, onClose } = props;
  const { t } = useTranslation(["controller-edit", "common"]);
  const sensors = useLiveSelection(
    KINDS,
    (live) => {
      const assignments = assignmentsOf(live.controllers, live.channels);
      return sensorsFor(controllerType, live.sensors).map((sensor) => ({
        ...sensor,
        assignment: assignments.get(sensor.id) ?? null,
      }));
    },
    (a, b) => JSON.stringify(a) === JSON.stringify(b),
  );
  const [texts, setTexts] = useState({ serial: "", name: "" });
  const [picked, setPicked] = useState<string | null>(null);

  const options = useMemo(() => {
    const option = ({ id, serial, name, assignment }: FoundSensor & { assignment: Assignment | null }) => {
      const isHere = present.includes(id);
      const note = isHere ? t("sensor.here") : assignmentNote(assignment);
      return { value: id, label: [`${serial} ${name}`, note].filter(Boolean).join(" · "), disabled: isHere };
    };
    const assignmentNote = (assignment: Assignment | null): string | null => {
      if (assignment === null || (assignment.controllerId === controllerId && assignment.number === number))
        return null;
      return t("sensor.elsewhere", { controller: assignment.controller, number: assignment.number });
    };
    const [isSerial, isName] = [texts.serial.trim() !== "", texts.name.trim() !== ""];
    return {
      serial: isSerial ? bySerial(sensors, texts.serial).map(option) : [],
      name: isName ? byNamePart(sensors, texts.name).map(option) : [],
      // Before anything is typed, every sensor that fits.
      all: isSerial || isName ? [] : sensors.map(option),
    };
  }, [sensors, texts, present, controllerId, number, t]);

  const type = (field: "serial" | "name", text: string) => {
    setPicked(null);
    // An emptied search clears both.
    if (text === "") setTexts({ serial: "", name: "" });
    else setTexts((now) => ({ ...now, [field]: text }));
  };
  const pick = (id: string) => {
    const sensor = sensors.find((each) => each.id === id);
    if (!sensor) return;
    setPicked(id);
    setTexts({ serial: sensor.serial, name: sensor.name });
  };
  const isTyped = texts.serial !== "" || texts.name !== "";
  const isWithout = isTyped && picked === null && options.serial.length === 0 && options.name.length === 0;
  const kinds = useSensorKinds(controllerType);
  const claim = useClaim();
  return (
    <Modal
      open
      title={t("sensor.title", { number })}
      onClose={onClose}
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            {t("common:action.cancel")}
          </Button>
          <Button
            disabled={picked === null}
            onClick={() => {
              if (picked !== null) onAdd(picked);
            }}
          >
            {t("sensor.add")}
          </Button>
        </>
      }
    >
      <Text color="fg.muted" fontSize="caption">
        {t("sensor.hint")}
      </Text>
      {sensors.length === 0 ? (
        <Text color="fg.muted">
          {claim(kinds === "" ? t("sensor.noneAtAll") : t("sensor.none", { kinds }))}
        </Text>
      ) : (
        <>
          <Text color="fg.muted" fontSize="caption">
            {kinds === "" ? t("sensor.anyKind") : t("sensor.kinds", { kinds })}
          </Text>
          <SearchSelect
            label={t("sensor.serial")}
            text={texts.serial}
            onText={(text) => type("serial", text)}
            options={options.serial}
            onPick={pick}
            maxHeight={LIST_HEIGHT}
            inputMode="numeric"
          />
          <SearchSelect
            label={t("sensor.name")}
            text={texts.name}
            onText={(text) => type("name", text)}
            options={options.name}
            onPick={pick}
            maxHeight={LIST_HEIGHT}
          />
          {isWithout && <p role="status">{t("sensor.nothing")}</p>}
          {options.all.length > 0 && (
            <chakra.ul css={FITTING} aria-label={t("sensor.fitting")}>
              {options.all.map(({ value, label, disabled }) => (
                <li key={value}>
                  <button type="button" disabled={disabled} onClick={() => pick(value)}>
                    {label}
                  </button>
                </li>
              ))}
            </chakra.ul>
          )}
        </>
      )}
    </Modal>
  );
}

/** Sensor that can be assigned to a channel. */
interface FoundSensor {
  readonly id: string;
  readonly serial: string;
  readonly name: string;
}

/**
 * Return true if a sensor can be assigned to a controller. The farm API decides for unknown and missing
 * types. COT units are not sensors.
 */
export function maySit(controllerType: string, deviceType: string): boolean {
  return isControllerType(controllerType)
    ? takesSensorType(controllerType, deviceType)
    : deviceType !== "COT";
}

/** Return the account's sensors that a controller of this type accepts, by name. */
export function sensorsFor(
  controllerType: string,
  sensors: ReadonlyMap<string, Pick<SensorValue, "info">>,
): FoundSensor[] {
  return [...sensors]
    .filter(([, { info }]) => maySit(controllerType, info.deviceType))
    .map(([id, { info }]) => ({ id, serial: `${info.serial ?? "--"}`, name: deviceName(info) }))
    .sort(byName);
}

/** Return the sensors whose serial contains the text. */
export function bySerial<Sensor extends FoundSensor>(
  sensors: readonly Sensor[],
  text: string,
): readonly Sensor[] {
  const isWanted = searchFor(text);
  return sensors.filter(({ serial }) => isWanted(serial));
}

/** Return the sensors whose name contains the text. */
export function byNamePart<Sensor extends FoundSensor>(
  sensors: readonly Sensor[],
  text: string,
): readonly Sensor[] {
  const isWanted = searchFor(text);
  return sensors.filter(({ name }) => isWanted(name));
}

/** Channel to which a sensor is assigned. */
interface Assignment {
  readonly controllerId: string;
  readonly controller: string;
  readonly number: number;
}

/**
 * Return the current channel of each sensor of the account; the first one for a sensor of several channels.
 */
export function assignmentsOf(
  controllers: ReadonlyMap<string, Pick<ControllerValue, "info">>,
  channels: ReadonlyMap<string, Pick<ChannelValue, "controllerId" | "number" | "sensorIds">>,
): ReadonlyMap<string, Assignment> {
  const assignments = new Map<string, Assignment>();
  const ordered = [...channels.values()].sort((a, b) => a.number - b.number);
  for (const { controllerId, number, sensorIds } of ordered) {
    const owner = controllers.get(`${controllerId}`);
    if (!owner) continue;
    for (const id of sensorIds) {
      if (assignments.has(`${id}`)) continue;
      assignments.set(`${id}`, {
        controllerId: `${controllerId}`,
        controller: deviceName(owner.info),
        number,
      });
    }
  }
  return assignments;
}
