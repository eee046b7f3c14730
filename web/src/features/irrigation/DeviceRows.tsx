import { Button } from "@chakra-ui/react";
import { RadioIcon, Settings2Icon } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { Card } from "../../components/card.tsx";
import { ValveIcon } from "../../components/icons.tsx";
import { Photo } from "../../components/photo.tsx";
import { VirtualRows } from "../../components/virtual-rows.tsx";
import { QualityMark } from "../../domain/reading/quality-mark.tsx";
import { OwnLink } from "../../domain/view-as/OwnLink.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { useAge, useDrawnQuality, useLive } from "../../live/hooks.ts";
import type { FarmDevice, FarmItem } from "./farm-list.ts";
import { devicePath, editPath } from "./paths.ts";
import { type Chosen, countChosen, MOST_CHOSEN } from "./selection.ts";
import "./devices.css";

/** As it mostly is, CSS px; the real heights are measured. */
const ROW_PX = 65;

export interface DeviceRowsProps {
  farm: FarmItem;
  chosen: Chosen;
  onToggle: (device: FarmDevice) => void;
  /** The selection is done: their past is shown. */
  onDone: () => void;
}

/** The devices of a farm: what they are, where they are changed, and which of them to look at. */
export function DeviceRows({ farm, chosen, onToggle, onDone }: DeviceRowsProps) {
  const { t } = useTranslation("irrigation");
  const count = countChosen(chosen);
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
      <p className="devices__note" id={note}>
        {full ? t("select.most", { count: MOST_CHOSEN }) : t("select.hint")}
      </p>
      {farm.devices.length === 0 && <p className="devices__none">{t("noDevices")}</p>}
      <VirtualRows
        className="devices"
        count={farm.devices.length}
        estimate={ROW_PX}
        keyOf={(index) => farm.devices[index]?.id ?? `${index}`}
        render={(index) => {
          const device = farm.devices[index];
          if (!device) return null;
          const isChosen = (device.kind === "box" ? chosen.cots : chosen.ids).includes(device.id);
          return (
            <DeviceRow
              device={device}
              farmId={farm.id}
              chosen={isChosen}
              barred={full && !isChosen}
              onToggle={() => onToggle(device)}
            />
          );
        }}
      />
    </Card>
  );
}

interface DeviceRowProps {
  device: FarmDevice;
  farmId: string;
  chosen: boolean;
  barred: boolean;
  onToggle: () => void;
}

function DeviceRow({ device, farmId, chosen, barred, onToggle }: DeviceRowProps) {
  const { t } = useTranslation("irrigation");
  const labels = useLabels();
  const value = useLive(device.form, device.id);
  const quality = useDrawnQuality(value);
  const ageMs = useAge(value?.heardAt ?? null);
  const { name, serial, deviceType, description, imagePath } = device;
  return (
    <div className="device-row" data-testid="device-row" data-chosen={chosen || undefined}>
      <label className="device-row__choose">
        <input
          type="checkbox"
          checked={chosen}
          disabled={barred}
          aria-label={t("select.one", { name })}
          onChange={onToggle}
        />
      </label>
      <Link className="device-row__link" to={devicePath(device)}>
        <span className="device-row__photo">
          <Photo
            path={imagePath}
            icon={device.kind === "box" ? <ValveIcon size={22} /> : <RadioIcon size={22} />}
            lazy
          />
        </span>
        <span className="device-row__text">
          <span className="device-row__name">{name}</span>
          <span className="device-row__about">
            {[labels.deviceType(deviceType), serial, description].filter(Boolean).join(" · ")}
          </span>
        </span>
        <QualityMark quality={quality} ageMs={ageMs} />
      </Link>
      <OwnLink className="device-row__edit" to={editPath(device, farmId)} aria-label={t("edit", { name })}>
        <Settings2Icon size={20} />
      </OwnLink>
    </div>
  );
}
