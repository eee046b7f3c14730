import common from "../i18n/locales/zh/common.json" with { type: "json" };
import wall from "../i18n/locales/zh/wall.json" with { type: "json" };

/** The words of a wall, in one file. */
export const words = { common, wall };
