import type { ParseKeys } from "i18next";
import type { ReactNode } from "react";
import {
  AccountIcon,
  ChartIcon,
  ClockIcon,
  DeviceIcon,
  MailIcon,
  SensorIcon,
  SunIcon,
} from "../../ui/icon/icons.tsx";

/** A place of the administrators' desk that its navigation leads to. */
export interface DeskPlace {
  readonly to: string;
  readonly label: ParseKeys<"admin">;
  readonly icon: ReactNode;
  /** Addresses whose pages belong to this place as well. */
  readonly also?: readonly string[];
  /** Only of a farm API that keeps what was done and written (extension `audit`). */
  readonly needsAudit?: boolean;
}

/** The places in the order of a morning; a place stands here once its page does. */
export const DESK_PLACES: readonly DeskPlace[] = [
  { to: "/adminpage", label: "place.morning", icon: <SunIcon /> },
  { to: "/adminpage/status", label: "place.status", icon: <ChartIcon /> },
  {
    to: "/adminpage/users",
    label: "place.users",
    icon: <AccountIcon />,
    also: ["/adminpage/user", "/adminpage/user/add"],
  },
  {
    to: "/adminpage/sensors",
    label: "place.sensors",
    icon: <SensorIcon />,
    also: ["/adminpage/sensor", "/adminpage/sensor/add"],
  },
  { to: "/displays", label: "place.displays", icon: <DeviceIcon /> },
  { to: "/adminpage/audit", label: "place.audit", icon: <ClockIcon />, needsAudit: true },
  { to: "/adminpage/contacts", label: "place.contacts", icon: <MailIcon />, needsAudit: true },
];
