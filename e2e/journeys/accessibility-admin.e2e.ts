import { IS_FULL } from "@mulkko/testing/stack/visitor";
import { describe } from "vitest";
import { DESK_GROUPS, LARGE_GROUPS } from "../pages/screens.ts";
import { screensForEveryEye } from "../pages/screens-for-every-eye.ts";

/**
 * Built from the same components as another screen here, or a farmer's screen under the banner: only in `pnpm
 * e2e:full`.
 */
const ALIKE: ReadonlySet<string> = new Set([
  "admin-sensors-twenty",
  "admin-sensors-nothing",
  "admin-sensor-gone",
  "reading-irrigation",
  "reading-sensors",
  "reading-alarms",
  "reading-panel",
  "admin-users-nothing",
  "admin-user-password",
  "admin-user-delete",
  "admin-user-gone",
  "admin-commands",
  "admin-status-top-menu",
  "admin-status-map",
  "admin-status-filtered",
  "admin-status-nothing",
]);
/** The wall's further screens that are checked in every run: the map, and the largest screen. */
const LARGE: ReadonlySet<string> = new Set(["wall-map", "wall-overview-4k"]);

const desk = DESK_GROUPS.map(({ name, screens }) => ({
  name,
  screens: screens.filter((screen) => IS_FULL || !ALIKE.has(screen.name)),
}));
const large = LARGE_GROUPS.map(({ name, screens }) => ({
  name,
  screens: screens.filter((screen) => IS_FULL || LARGE.has(screen.name)),
}));

describe("every screen of the administration and the wall for every eye", () =>
  screensForEveryEye([...desk, ...large], { viewport: "phone", locale: "ko-KR", colorScheme: "light" }));
