import { Box, Button, Text } from "@chakra-ui/react";
import { countedQuality, shownTime } from "@mulkko/shared/live/value-age";
import { RadioIcon } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { useClaim } from "../../../api/knowledge.ts";
import { Card } from "../../../components/card.tsx";
import { ValveIcon } from "../../../components/icons.tsx";
import { VirtualRows } from "../../../components/virtual-rows.tsx";
import { DeviceRow } from "../../../domain/device/device-row.tsx";
import { useLabels } from "../../../i18n/labels.ts";
import { useAge, useDrawnQuality, useLive } from "../../../live/hooks.ts";
import type { FarmDevice, FarmItem } from "../farm-list.ts";
import { devicePath, editPath } from "../paths.ts";
import { type Chosen, countChosen, MOST_CHOSEN } from "./selection.ts";

/** Typical row height, CSS px; the real heights are measured. */
const ROW_PX = 65;

export interface DeviceRowsProps {
  farm: FarmItem;
  chosen: Chosen;
  onToggle: (device: FarmDevice) => void;
  /** Show the charts of the selected devices. */
  onDone: () => void;
}

const NOTE = { px: "card", pb: "3", color: "fg.muted", fontSize: "label" } as const;

/** List the devices of a farm, with links to edit them and a selection for the charts. */
export function DeviceRows({ farm, chosen, onToggle, onDone }: DeviceRowsProps) {
  const { t } = useTranslation("irrigation");
  const count = countChosen(chosen);
  const claim = useClaim();
  const full = count >= MOST_CHOSEN;
  const note = useId();
  return (
    <Card
      title={t("devicesTitle", { count: farm.devices.length })}
      flush
      aside={
        <Button size="sm" disabled={count === 0} aria-describedby={note} onClick={onDone}>
          {count === 0 ? t("select.done") : t("select.doneOf", { count })}
        </Button>
      }
    >
      <Text {...NOTE} id={note}>
        {full ? t("select.most", { count: MOST_CHOSEN }) : t("select.hint")}
      </Text>
      {farm.devices.length === 0 && <Text {...NOTE}>{claim(t("noDevices"))}</Text>}
      <Box css={{ "& > ul > li": { borderTopWidth: "1px" } }}>
        <VirtualRows
          count={farm.devices.length}
          estimate={ROW_PX}
          keyOf={(index) => farm.devices[index]?.id ?? `${index}`}
          render={(index) => {
            const device = farm.devices[index];
            if (!device) return null;
            const isChosen = (device.kind === "unit" ? chosen.cots : chosen.ids).includes(device.id);
            return (
              <FarmDeviceRow
                device={device}
                farmId={farm.id}
                chosen={isChosen}
                barred={full && !isChosen}
                onToggle={() => onToggle(device)}
              />
            );
          }}
        />
      </Box>
    </Card>
  );
}

interface FarmDeviceRowProps {
  device: FarmDevice;
  farmId: string;
  chosen: boolean;
  barred: boolean;
  onToggle: () => void;
}

function FarmDeviceRow({ device, farmId, chosen, barred, onToggle }: FarmDeviceRowProps) {
  const { t } = useTranslation("irrigation");
  const labels = useLabels();
  const value = useLive(device.form, device.id);
  const quality = useDrawnQuality(value && { quality: countedQuality(value), link: value.link });
  const ageMs = useAge(value ? shownTime(value) : null);
  const { name, serial, deviceType, description, imagePath } = device;
  return (
    <DeviceRow
      testId="device-row"
      name={name}
      about={[[labels.deviceType(deviceType), serial, description]]}
      imagePath={imagePath}
      icon={device.kind === "unit" ? <ValveIcon size={22} /> : <RadioIcon size={22} />}
      quality={quality}
      ageMs={ageMs}
      to={devicePath(device)}
      marked={chosen}
      choice={{ checked: chosen, disabled: barred, label: t("select.one", { name }), onToggle }}
      edit={{ to: editPath(device, farmId), label: t("edit", { name }) }}
    />
  );
}
