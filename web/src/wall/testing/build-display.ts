import type { Display, DisplaySettings } from "@mulkko/shared/rest/displays";
import { buildDisplaySettings } from "@mulkko/shared/testing/builders";

/** A paired screen for tests. */
export function buildDisplay(settings: Partial<DisplaySettings> = {}): Display {
  return {
    id: "display-1",
    account: 1,
    username: "farmer",
    settings: buildDisplaySettings({ name: "관리실", pages: ["overview", "valves", "alarms"], ...settings }),
    createdAt: "2026-11-22T03:00:00.000Z",
    lastSeenAt: null,
    connected: true,
  };
}
