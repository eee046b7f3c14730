import type { Display, DisplaySettings } from "@mulkko/shared/rest/displays";

/** A paired screen for tests. */
export function buildDisplay(settings: Partial<DisplaySettings> = {}): Display {
  return {
    id: "display-1",
    account: 1,
    username: "farmer",
    settings: {
      name: "관리실",
      farms: null,
      pages: ["overview", "valves", "alarms"],
      tiles: null,
      turnSeconds: 20,
      diagonalInches: 55,
      distanceMetres: 3,
      language: "ko",
      colorMode: "dark",
      night: null,
      sound: false,
      scope: "read",
      ...settings,
    },
    createdAt: "2026-11-22T03:00:00.000Z",
    lastSeenAt: null,
    connected: true,
  };
}
