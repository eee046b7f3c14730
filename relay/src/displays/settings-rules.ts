import { farmKey } from "@mulkko/shared/live/keys";
import type { DisplaySettings } from "@mulkko/shared/rest/displays";
import type { FarmState } from "../core/channel-farms.ts";

/** What is wrong with a field of the settings. */
export interface SettingsFault {
  readonly field: string;
  readonly defaultMessage: string;
}

/** The same without blanks around the name, and without a page or farm that is named twice. */
export const tidied = (settings: DisplaySettings): DisplaySettings => ({
  ...settings,
  name: settings.name.trim(),
  farms: settings.farms && [...new Map(settings.farms.map((id) => [String(id), id])).values()],
  pages: [...new Set(settings.pages)],
});

/** The farms that a display does not show yet; of a new one: all that were chosen. */
export const addedFarms = (
  { farms }: DisplaySettings,
  known?: DisplaySettings,
): NonNullable<DisplaySettings["farms"]> =>
  farms?.filter((id) => !known?.farms?.some((one) => String(one) === String(id))) ?? [];

/**
 * The first thing that cannot be shown to this account. What was shown before is not looked at: a farm that is gone
 * stands in nobody's way who only wants another name.
 *
 * @param state of the account whose display it is
 * @param role of that account; only an administrator's display shows the fleet
 * @param known what the display shows so far; left out for a new one
 */
export function settingsFault(
  settings: DisplaySettings,
  state: FarmState,
  role: string | null,
  known?: DisplaySettings,
): SettingsFault | null {
  const { pages, name } = settings;
  if (name === "") return { field: "name", defaultMessage: "is empty" };
  if (addedFarms(settings, known).some((id) => state[farmKey(id)] === undefined)) {
    return { field: "farms", defaultMessage: "names a farm that the account does not have" };
  }
  if (pages.includes("fleet") && !known?.pages.includes("fleet") && role !== "ADMIN") {
    return { field: "pages", defaultMessage: "holds fleet, which is for administrators" };
  }
  return null;
}
