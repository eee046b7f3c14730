import type { ParseKeys } from "i18next";
import { ChartLineIcon, ClockIcon, MailIcon, MonitorIcon, RadioIcon, SunIcon, UserIcon } from "lucide-react";
import type { ReactNode } from "react";

/** An entry of the administrators' navigation. */
export interface AdminPlace {
  readonly to: string;
  readonly label: ParseKeys<"admin">;
  readonly icon: ReactNode;
  /** Addresses whose pages belong to this entry too. */
  readonly also?: readonly string[];
  /** Requires a farm API that stores actions and messages (extension `audit`). */
  readonly needsAudit?: boolean;
}

/** Entries in the order of a morning's work. */
export const ADMIN_PLACES: readonly AdminPlace[] = [
  { to: "/adminpage", label: "place.morning", icon: <SunIcon /> },
  { to: "/adminpage/status", label: "place.status", icon: <ChartLineIcon /> },
  {
    to: "/adminpage/users",
    label: "place.users",
    icon: <UserIcon />,
    also: ["/adminpage/user", "/adminpage/user/add"],
  },
  {
    to: "/adminpage/sensors",
    label: "place.sensors",
    icon: <RadioIcon />,
    also: ["/adminpage/sensor", "/adminpage/sensor/add"],
  },
  { to: "/displays", label: "place.displays", icon: <MonitorIcon /> },
  { to: "/adminpage/audit", label: "place.audit", icon: <ClockIcon />, needsAudit: true },
  { to: "/adminpage/contacts", label: "place.contacts", icon: <MailIcon />, needsAudit: true },
];
