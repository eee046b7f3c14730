import {
  HouseIcon,
  MapIcon,
  PlusIcon,
  RadioIcon,
  ShieldCheckIcon,
  TriangleAlertIcon,
  UserIcon,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router-dom";
import { usePerson, useReadOnly } from "../../api/hooks.ts";
import { ValveIcon } from "../../components/icons.tsx";
import type { NavItem } from "../../components/navigation.tsx";
import { ALARMS_PATH } from "../../domain/alarm/present-alarms.ts";
import { ADMIN_PATH, homeOf } from "../page.ts";

/** Return the navigation targets: a desktop's menu, a phone's bar, and the items behind its last entry. */
export function useNavItems(): Readonly<Record<"desktop" | "bottom" | "menu", readonly NavItem[]>> {
  const { t } = useTranslation(["shell", "common"]);
  const { pathname } = useLocation();
  const readOnly = useReadOnly();
  const person = usePerson();
  const isAdmin = person.userType === "ADMIN";
  const atDisplays = pathname.startsWith("/displays");
  // Controllers have sensor addresses, but belong to irrigation in the navigation.
  const atValves = pathname.startsWith("/sensors/cot") || pathname.startsWith("/controller");
  // Displays are opened from the account's menu, by administrators from theirs.
  const atAccount = pathname.startsWith("/account") || (atDisplays && !isAdmin);
  const home = { to: "/dashboard", label: t("nav.home"), icon: <HouseIcon /> };
  const water = {
    to: "/irrigation",
    label: t("nav.irrigation"),
    icon: <ValveIcon />,
    current: atValves || pathname.startsWith("/irrigation"),
  };
  const sensors = {
    to: "/sensors",
    label: t("nav.sensors"),
    icon: <RadioIcon />,
    current: !atValves && pathname.startsWith("/sensors"),
  };
  const maps = { to: "/maps", label: t("nav.map"), icon: <MapIcon /> };
  const alarms = { to: ALARMS_PATH, label: t("common:alarm.title"), icon: <TriangleAlertIcon /> };
  const add = { to: "/addpage", label: t("nav.add"), icon: <PlusIcon /> };
  const account = { to: "/account", label: t("nav.account"), icon: <UserIcon />, current: atAccount };
  // An administrator cannot add anything to another account's farm.
  const own = readOnly ? [] : [add, account];
  const admin = {
    to: ADMIN_PATH,
    label: t("nav.admin"),
    icon: <ShieldCheckIcon />,
    current: pathname.startsWith(ADMIN_PATH) || atDisplays,
  };
  // The administration comes first where it is the home, except on another account's farm.
  const isAdminHome = homeOf(person) === ADMIN_PATH && !readOnly;
  const [first, later] = isAdminHome ? [admin, [home]] : [home, isAdmin ? [admin] : []];
  const farms = [water, sensors, maps];
  return {
    // A desktop has the add button in its header.
    desktop: isAdminHome
      ? [first, ...later, ...farms, alarms, account]
      : [first, ...farms, alarms, ...own.filter((item) => item !== add), ...later],
    bottom: [first, ...farms],
    menu: [alarms, ...own, ...later],
  };
}
