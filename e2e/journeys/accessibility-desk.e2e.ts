import { describe } from "vitest";
import { DESK_GROUPS, LARGE_GROUPS } from "../pages/screens.ts";
import { screensForEveryEye } from "../src/stack/screens-for-every-eye.ts";
import { IS_FULL } from "../src/stack/visitor.ts";

/** Made of the same parts as another one here, or a farmer's screen under the banner: left to `pnpm e2e:full`. */
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
  "admin-status-map",
  "admin-status-filtered",
  "admin-status-nothing",
]);
/** Of the wall's further pictures, those that are judged in every run: the map, and the largest screen there is. */
const LARGE: ReadonlySet<string> = new Set(["wall-map", "wall-overview-4k"]);

const desk = DESK_GROUPS.map(({ name, screens }) => ({
  name,
  screens: screens.filter((screen) => IS_FULL || !ALIKE.has(screen.name)),
}));
const large = LARGE_GROUPS.map(({ name, screens }) => ({
  name,
  screens: screens.filter((screen) => IS_FULL || LARGE.has(screen.name)),
}));

describe("every screen of the desk and the wall for every eye", () =>
  screensForEveryEye([...desk, ...large], { viewport: "phone", locale: "ko-KR", colorScheme: "light" }));
