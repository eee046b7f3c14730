import type { DisplaySettings } from "@mulkko/shared/rest/displays";
import { farmKey } from "@mulkko/shared/rules/device-keys";
import type { FarmState } from "../account/farm-index.ts";

/** An invalid field of the settings. */
export interface SettingsFault {
  readonly field: string;
  readonly defaultMessage: string;
}

/** Return the settings without blanks around the name, and without duplicate pages and farms. */
export const tidied = (settings: DisplaySettings): DisplaySettings => ({
  ...settings,
  name: settings.name.trim(),
  farms: settings.farms && [...new Map(settings.farms.map((id) => [String(id), id])).values()],
  pages: [...new Set(settings.pages)],
});

/** Return the farms that a display does not show yet; of a new one, all of its farms. */
export const addedFarms = (
  { farms }: DisplaySettings,
  known?: DisplaySettings,
): NonNullable<DisplaySettings["farms"]> =>
  farms?.filter((id) => !known?.farms?.some((one) => String(one) === String(id))) ?? [];

/**
 * Return the first setting that this account may not show. Present settings are not checked, so that a
 * removed farm does not prevent a new name.
 * @param state of the display's account
 * @param role of that account; only an administrator's display shows the fleet
 * @param known the present settings; left out for a new display
 */
export function settingsFault(
  settings: DisplaySettings,
  state: FarmState,
  role: string | null,
  known?: DisplaySettings,
): SettingsFault | null {
  const { pages, name } = settings;
  if (name === "") return { field: "name", defaultMessage: "name is required" };
  if (addedFarms(settings, known).some((id) => state[farmKey(id)] === undefined)) {
    return { field: "farms", defaultMessage: "the account does not have one of these farms" };
  }
  if (pages.includes("fleet") && !known?.pages.includes("fleet") && role !== "ADMIN") {
    return { field: "pages", defaultMessage: "only administrators can show all devices" };
  }
  return null;
}
