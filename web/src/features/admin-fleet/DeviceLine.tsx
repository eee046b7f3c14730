import { MISSING } from "@mulkko/shared/rules/format";
import { memo, type ReactNode } from "react";
import { Link } from "react-router-dom";
import { StateMark } from "../../fleet/StateMark.tsx";
import { useShownDevice } from "../../fleet/use-shown-device.ts";
import { useLabels } from "../../i18n/labels.ts";

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
    <li>
      <Link
        className="morning-line"
        data-testid="morning-line"
        to={`/adminpage/status?id=${encodeURIComponent(deviceKey.slice(7))}`}
      >
        <StateMark state={state} alarm={alarm} />
        <span className="morning-line__text">
          <span className="morning-line__name">{name}</span>
          <span className="morning-line__about">{about.filter(Boolean).join(" · ")}</span>
        </span>
        <span className="morning-line__end">{children}</span>
      </Link>
    </li>
  );
});
