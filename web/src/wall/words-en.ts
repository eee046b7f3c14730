import common from "../i18n/locales/en/common.json" with { type: "json" };
import wall from "../i18n/locales/en/wall.json" with { type: "json" };

/** A wall's translations in one file. */
export const words = { common, wall };
