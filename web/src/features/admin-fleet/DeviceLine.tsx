import { MISSING } from "@mulkko/shared/rules/format";
import { memo, type ReactNode } from "react";
import { StateMark } from "../../domain/fleet/StateMark.tsx";
import { useShownDevice } from "../../domain/fleet/use-shown-device.ts";
import { useLabels } from "../../i18n/labels.ts";
import { MorningLine } from "./MorningCard.tsx";

interface DeviceLineProps {
  readonly deviceKey: string;
  /** Detail for the list: an age, a time or a battery. */
  readonly children: ReactNode;
}

/** One device in an overview list. It links to the board with the device open. */
export const DeviceLine = memo(function DeviceLine({ deviceKey, children }: DeviceLineProps) {
  const labels = useLabels();
  const shown = useShownDevice(deviceKey);
  if (!shown) return null;
  const { device, name, state, alarm } = shown;
  const about = [device.username ?? MISSING, device.deviceType && labels.deviceType(device.deviceType)];
  return (
    <MorningLine
      to={`/adminpage/status?id=${encodeURIComponent(deviceKey.slice(7))}`}
      mark={<StateMark state={state} alarm={alarm} />}
      name={name}
      about={about.filter(Boolean).join(" · ")}
    >
      {children}
    </MorningLine>
  );
});
