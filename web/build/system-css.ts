import { serializeStyles } from "@emotion/serialize";
import { compile, middleware, prefixer, serialize, stringify } from "stylis";
import { makeSystem } from "../src/ui/theme/made-system.ts";

/**
 * Return exactly what the design system's provider would write into every page at start: layer order, reset,
 * tokens and global rules.
 */
export function systemCss(): string {
  const { layers, _global } = makeSystem();
  const { styles } = serializeStyles([layers.atRule, _global]);
  return serialize(compile(styles), middleware([prefixer, stringify]));
}
