import { Stack, Text } from "@chakra-ui/react";
import { MISSING } from "@mulkko/shared/rules/format";
import { memo, type ReactNode } from "react";
import { Link } from "react-router-dom";
import { StateMark } from "../../domain/fleet/StateMark.tsx";
import { useShownDevice } from "../../domain/fleet/use-shown-device.ts";
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
        <Stack as="span" flex="1" minW="0" gap="0">
          <span className="morning-line__name">{name}</span>
          <Text
            as="span"
            overflow="hidden"
            textOverflow="ellipsis"
            whiteSpace="nowrap"
            color="fg.muted"
            fontSize="caption"
          >
            {about.filter(Boolean).join(" · ")}
          </Text>
        </Stack>
        <Stack
          as="span"
          color="fg.muted"
          fontSize="caption"
          flex="none"
          textAlign="end"
          align="end"
          gap="0"
          css={{ "& strong": { color: "fg", fontSize: "label", fontWeight: "650" } }}
        >
          {children}
        </Stack>
      </Link>
    </li>
  );
});
