import common from "./locales/en/common.json" with { type: "json" };
import dashboard from "./locales/en/dashboard.json" with { type: "json" };
import shell from "./locales/en/shell.json" with { type: "json" };
import weather from "./locales/en/weather.json" with { type: "json" };

/** Translations of the first page in one file. */
export const firstWords = { common, dashboard, shell, weather };
