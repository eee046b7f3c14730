import { IS_FULL } from "@mulkko/testing/stack/visitor";
import { describe } from "vitest";
import { FARMER_GROUPS } from "../pages/screens.ts";
import { screensForEveryEye } from "../pages/screens-for-every-eye.ts";

/** Built from the same components as another screen here: only in `pnpm e2e:full`. */
const ALIKE: ReadonlySet<string> = new Set([
  "login-refused",
  "dashboard-top-menu",
  "recover-sent",
  "new-password",
  "sensors-by-farm",
  "sensors-chosen",
  "sensor-table-weather",
  "log-air",
  "log-compared",
  "map-soil",
  "map-stress",
  "irrigation-closed",
  "irrigation-chosen",
  "farm-name",
  "panel-closed",
  "panel-mode-refused",
  "dashboard-watering",
  "controller-add-refused",
  "sensor-add-refused",
  "account-refused",
  "displays-unknown-code",
]);

const groups = FARMER_GROUPS.map(({ name, screens }) => ({
  name,
  screens: screens.filter((screen) => IS_FULL || !ALIKE.has(screen.name)),
}));

describe("every farmer's screen for every eye", () =>
  screensForEveryEye(groups, { viewport: "phone", locale: "ko-KR", colorScheme: "dark" }, true));
