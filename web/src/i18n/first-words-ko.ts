import common from "./locales/ko/common.json" with { type: "json" };
import dashboard from "./locales/ko/dashboard.json" with { type: "json" };
import shell from "./locales/ko/shell.json" with { type: "json" };
import weather from "./locales/ko/weather.json" with { type: "json" };

/** Translations of the first page in one file. */
export const firstWords = { common, dashboard, shell, weather };
