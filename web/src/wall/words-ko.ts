import common from "../i18n/locales/ko/common.json" with { type: "json" };
import wall from "../i18n/locales/ko/wall.json" with { type: "json" };

/** A wall's translations in one file. */
export const words = { common, wall };
