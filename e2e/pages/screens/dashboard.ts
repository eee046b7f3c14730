import { at, type Screen } from "./screen.ts";

/** The farm at a glance. */
export const dashboardScreens: readonly Screen[] = [at("dashboard", "/dashboard")];
