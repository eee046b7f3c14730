import { accountScreens } from "./screens/account.ts";
import { adminFleetScreens } from "./screens/admin-fleet.ts";
import { adminSensorsScreens } from "./screens/admin-sensors.ts";
import { adminUsersScreens } from "./screens/admin-users.ts";
import { controllerScreens } from "./screens/controller.ts";
import { dashboardScreens } from "./screens/dashboard.ts";
import { devicesScreens } from "./screens/devices.ts";
import { displaysScreens } from "./screens/displays.ts";
import { irrigationScreens } from "./screens/irrigation.ts";
import { logScreens } from "./screens/log.ts";
import { mapsScreens } from "./screens/maps.ts";
import type { Screen } from "./screens/screen.ts";
import { sensorsScreens } from "./screens/sensors.ts";
import { largeWallScreens, sizedWallScreens, wallScreens } from "./screens/wall.ts";
import { waysScreens } from "./screens/ways.ts";

/** Screens of one group, which can be selected together. */
export interface ScreenGroup {
  readonly name: string;
  readonly screens: readonly Screen[];
}

/** A farmer's screens, in the order of the screenshots: the login pages first, as they need no session. */
export const FARMER_GROUPS: readonly ScreenGroup[] = [
  { name: "ways", screens: waysScreens },
  { name: "dashboard", screens: dashboardScreens },
  { name: "sensors", screens: sensorsScreens },
  { name: "log", screens: logScreens },
  { name: "maps", screens: mapsScreens },
  { name: "irrigation", screens: irrigationScreens },
  { name: "controller", screens: controllerScreens },
  { name: "devices", screens: devicesScreens },
  { name: "account", screens: accountScreens },
  { name: "displays", screens: displaysScreens },
];

/** The administration, and the wall. */
export const DESK_GROUPS: readonly ScreenGroup[] = [
  { name: "admin-sensors", screens: adminSensorsScreens },
  { name: "admin-users", screens: adminUsersScreens },
  { name: "admin-fleet", screens: adminFleetScreens },
  // Last: its screens have a television's size.
  { name: "wall", screens: wallScreens },
];

/** Further screens of the wall: large ones, drawn in software, take a while. */
export const LARGE_GROUPS: readonly ScreenGroup[] = [{ name: "wall-large", screens: largeWallScreens }];

/** The wall in every size; a journey of its own checks them. */
const SIZE_GROUPS: readonly ScreenGroup[] = [{ name: "wall-sizes", screens: sizedWallScreens }];

/** All screens. */
export const PICTURE_GROUPS: readonly ScreenGroup[] = [
  ...FARMER_GROUPS,
  ...DESK_GROUPS,
  ...LARGE_GROUPS,
  ...SIZE_GROUPS,
];
