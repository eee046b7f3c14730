import { Box, Button, chakra, Flex, Grid, Text } from "@chakra-ui/react";
import { sensorKey } from "@mulkko/shared/rules/device-keys";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { CheckIcon, PlusIcon, XIcon } from "lucide-react";
import { useDeferredValue, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { toggled } from "../../components/address.ts";
import { SearchBox } from "../../components/field.tsx";
import { VirtualRows } from "../../components/virtual-rows.tsx";
import { farmMembers } from "../../domain/farm/farm-members.ts";
import { useInfos } from "../../domain/farm/when-infos-change.ts";
import { byName } from "../../i18n/by-name.ts";
import { useLabels } from "../../i18n/labels.ts";
import { searchFor } from "../../i18n/search.ts";
import type { LiveFarm } from "../../live/hooks.ts";

/** Sensor that can be put on a farm. */
export interface PickableSensor {
  readonly id: string;
  readonly name: string;
  readonly serial: string;
  readonly deviceType: string;
  /** Names of its current farms, which it leaves if selected; null for none. */
  readonly farm: string | null;
}

/**
 * Return both lists as displayed.
 *
 * @param selected ids in the order of selection
 * @param text search text for name, serial, type and farm
 * @param translateType translates a device type, so that the search finds it
 */
export function sidesOf(
  sensors: readonly PickableSensor[],
  selected: readonly string[],
  text: string,
  translateType: (type: string) => string,
) {
  const search = searchFor(text);
  const isFound = ({ name, serial, deviceType, farm }: PickableSensor): boolean =>
    search(name, serial, deviceType, translateType(deviceType), farm ?? "");
  const byId = new Map(sensors.map((sensor) => [sensor.id, sensor]));
  // Drop sensors that were deleted on another screen.
  const chosen = selected.flatMap((id) => byId.get(id) ?? []);
  const isChosen = new Set(selected);
  const available = sensors.filter(({ id }) => !isChosen.has(id)).sort(byName);
  return {
    /** By name. */
    available: available.filter(isFound),
    selected: chosen.filter(isFound),
    /** Numbers without the search filter. */
    counts: { available: available.length, selected: chosen.length },
    /** Selected sensors that leave another farm. */
    moving: chosen.filter(({ farm }) => farm !== null),
  };
}

/** Select all given sensors; those already selected keep their place. */
export const pickAll = (
  selected: readonly string[],
  sensors: readonly PickableSensor[],
): readonly string[] => [...new Set([...selected, ...sensors.map(({ id }) => id)])];

/** Deselect the given sensors. */
export function dropAll(selected: readonly string[], sensors: readonly PickableSensor[]): readonly string[] {
  const gone = new Set(sensors.map(({ id }) => id));
  return selected.filter((id) => !gone.has(id));
}

/** Typical row height, CSS px; the real heights are measured. */
const ROW_PX = 64;

const KINDS = ["farm", "sensor"] as const;

/** Return all sensors of the account with their farms. */
function pickableIn({ farms, sensors }: LiveFarm): readonly PickableSensor[] {
  const members = farmMembers({ farms });
  return [...sensors].map(([id, { info }]) => ({
    id,
    name: deviceName(info),
    serial: `${info.serial ?? "--"}`,
    deviceType: info.deviceType,
    farm:
      members
        .of(sensorKey(id))
        .flatMap((farm) => farms.get(farm)?.info.name ?? [])
        .join(", ") || null,
  }));
}

export interface SensorPickerProps {
  /** Ids in the order of selection. */
  selected: readonly string[];
  onSelect: (ids: readonly string[]) => void;
}

/** Two lists with a common search. A click moves a sensor to the other list. */
export function SensorPicker({ selected, onSelect }: SensorPickerProps) {
  const { t } = useTranslation("farms");
  const { deviceType } = useLabels();
  const sensors = useInfos(KINDS, pickableIn);
  const [text, setText] = useState("");
  const typed = useDeferredValue(text);
  const sides = useMemo(
    () => sidesOf(sensors, selected, typed, deviceType),
    [sensors, selected, typed, deviceType],
  );
  const move = (id: string) => onSelect(toggled(selected, id));
  return (
    <Grid gap="3">
      <SearchBox label={t("picker.search")} text={text} onText={setText} />
      <Grid templateColumns={{ base: "minmax(0, 1fr)", md: "1fr 1fr" }} gap="4">
        <Side
          chosen={false}
          sensors={sides.available}
          count={sides.counts.available}
          onAll={() => onSelect(pickAll(selected, sides.available))}
          onMove={move}
        />
        <Side
          chosen
          sensors={sides.selected}
          count={sides.counts.selected}
          onAll={() => onSelect(dropAll(selected, sides.selected))}
          onMove={move}
        />
      </Grid>
      <Text minH="1.5em" fontWeight="medium" role="status">
        <span className="visually-hidden">{t("picker.selected", { count: sides.counts.selected })} </span>
        {sides.moving.length > 0 && t("picker.moving", { count: sides.moving.length })}
      </Text>
    </Grid>
  );
}

interface SideProps {
  chosen: boolean;
  sensors: readonly PickableSensor[];
  /** Number without the search filter. */
  count: number;
  onAll: () => void;
  onMove: (id: string) => void;
}

function Side({ chosen, sensors, count, onAll, onMove }: SideProps) {
  const { t } = useTranslation("farms");
  const title = t(chosen ? "picker.selected" : "picker.available", { count });
  const [list, setList] = useState<HTMLDivElement | null>(null);
  const side = useRef<HTMLElement>(null);
  // The clicked row disappears: focus the next one for keyboard users, or the first of the other side if this
  // one is empty.
  const moveFocus = (index: number) =>
    requestAnimationFrame(() => {
      const next = side.current?.querySelector<HTMLElement>(`[data-index="${index}"] button`);
      const last = [...(side.current?.querySelectorAll<HTMLElement>("li button") ?? [])].at(-1);
      const other = side.current?.parentElement?.querySelector<HTMLElement>("li button");
      (next ?? last ?? other)?.focus();
    });
  return (
    <chakra.section
      display="grid"
      ref={side}
      gridTemplateRows="auto 1fr"
      gridTemplateColumns="minmax(0, 1fr)"
      minW="0"
      borderWidth="1px"
      rounded="card"
      css={{ "&[data-chosen]": { borderColor: "border.strong" } }}
      data-testid="picker-side"
      data-chosen={chosen || undefined}
      aria-label={title}
    >
      <Flex
        align="center"
        justify="space-between"
        wrap="wrap"
        gap="2"
        pt="2"
        pr="2"
        pb="2"
        pl="3.5"
        borderBottomWidth="1px"
        css={{
          "& h3": { fontWeight: "semibold" },
          "& button": { flexShrink: 1, h: "auto", minH: "max(2.25rem, var(--finger))", whiteSpace: "normal" },
        }}
      >
        <h3>{title}</h3>
        {sensors.length > 0 && (
          <Button
            type="button"
            size="sm"
            variant="outline"
            onClick={() => {
              onAll();
              moveFocus(0);
            }}
          >
            {t(chosen ? "picker.none" : "picker.all", { count: sensors.length })}
          </Button>
        )}
      </Flex>
      {sensors.length === 0 ? (
        <Text py="6" px="3.5" color="fg.muted">
          {t(chosen ? "picker.empty" : "picker.nothing")}
        </Text>
      ) : (
        <Box
          ref={setList}
          position="relative"
          h={{ base: "auto", md: "22rem" }}
          overflowY="auto"
          maxH={{ mdDown: "18rem" }}
          css={{ '& li:not([data-index="0"])': { borderTopWidth: "1px" } }}
        >
          <VirtualRows
            scroller={list}
            count={sensors.length}
            estimate={ROW_PX}
            keyOf={(index) => sensors[index]?.id ?? `${index}`}
            render={(index) => {
              const sensor = sensors[index];
              if (!sensor) return null;
              const press = () => {
                onMove(sensor.id);
                moveFocus(index);
              };
              return <SideRow sensor={sensor} chosen={chosen} onPress={press} />;
            }}
          />
        </Box>
      )}
    </chakra.section>
  );
}

interface SideRowProps {
  sensor: PickableSensor;
  chosen: boolean;
  onPress: () => void;
}

function SideRow({ sensor, chosen, onPress }: SideRowProps) {
  const { t } = useTranslation("farms");
  const { deviceType } = useLabels();
  const farm = sensor.farm === null ? null : t(chosen ? "picker.from" : "picker.on", { farm: sensor.farm });
  return (
    <chakra.button
      type="button"
      display="flex"
      alignItems="center"
      gap="3"
      w="full"
      minH="14"
      py="2"
      px="3.5"
      textAlign="start"
      cursor="pointer"
      _hover={{ bg: "bg.sunk" }}
      _focusVisible={{ outlineOffset: "-2px" }}
      css={{ "& > svg": { flex: "none", color: "fg.muted" } }}
      data-testid="picker-sensor"
      onClick={onPress}
    >
      {chosen ? <CheckIcon /> : <PlusIcon />}
      <span className="visually-hidden">
        {t(chosen ? "picker.drop" : "picker.pick", { name: `${sensor.name} ${sensor.serial}` })}
        {farm !== null && ` · ${farm}`}
      </span>
      <Grid
        as="span"
        flex="1"
        minW="0"
        css={{ "& > :not(strong)": { color: "fg.muted", fontSize: "caption" } }}
        aria-hidden
      >
        <Text as="strong" fontWeight="semibold">
          {sensor.name}
        </Text>
        <span>
          {deviceType(sensor.deviceType)} · {sensor.serial}
        </span>
        {farm !== null && <span>{farm}</span>}
      </Grid>
      {chosen && <XIcon />}
    </chakra.button>
  );
}
