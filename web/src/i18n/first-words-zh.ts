import common from "./locales/zh/common.json" with { type: "json" };
import dashboard from "./locales/zh/dashboard.json" with { type: "json" };
import shell from "./locales/zh/shell.json" with { type: "json" };
import weather from "./locales/zh/weather.json" with { type: "json" };

/** Translations of the first page in one file. */
export const firstWords = { common, dashboard, shell, weather };
