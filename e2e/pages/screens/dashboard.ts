import { at, type Screen, underTopMenu } from "./screen.ts";

/** The farm at a glance. */
export const dashboardScreens: readonly Screen[] = [
  at("dashboard", "/dashboard"),
  underTopMenu(at("dashboard", "/dashboard", false)),
];
