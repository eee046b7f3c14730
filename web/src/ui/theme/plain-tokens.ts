import { colors } from "./colors.ts";
import { radii, semanticSpacing, spacing, zIndex } from "./scales.ts";
import type { Surface } from "./surface.ts";
import { fontSizes, fonts, fontWeights } from "./typography.ts";

/** A token's value: one, or one by surface and color mode. */
type Value = string | number | Readonly<Record<string, string>>;

/** Tokens by name, as the design system groups them. */
interface Tokens {
  readonly [name: string]: Tokens | { readonly value: Value };
}

const GROUPS: Readonly<Record<string, readonly Tokens[]>> = {
  colors: [colors],
  fonts: [fonts],
  "font-sizes": [fontSizes],
  "font-weights": [fontWeights],
  radii: [radii],
  spacing: [spacing, semanticSpacing],
  "z-index": [zIndex],
};

const isValue = (value: unknown): value is Value =>
  typeof value === "string" ||
  typeof value === "number" ||
  (typeof value === "object" && value !== null && "base" in value);

/** Return every token with its variable's name. */
function named(prefix: string, tokens: Tokens): [name: string, value: Value][] {
  return Object.entries(tokens).flatMap(([key, token]): [string, Value][] => {
    const name = key === "DEFAULT" ? prefix : `${prefix}-${key}`;
    const value = "value" in token ? token.value : undefined;
    if (isValue(value)) return [[name, value]];
    // A group of tokens: any name is allowed except `value`.
    return Object.entries(token).length > 0 ? named(name, Object.fromEntries(groupsIn(token))) : [];
  });
}

const groupsIn = (token: Tokens | { readonly value: Value }): [string, Tokens][] =>
  Object.entries(token).filter((entry): entry is [string, Tokens] => typeof entry[1] === "object");

/**
 * Return the design system's tokens as plain CSS, for a page without its library. Contains the variables used
 * by `ui/`'s plain style sheets, for one surface.
 */
export function plainTokens(surface: Surface): string {
  const all = Object.entries(GROUPS).flatMap(([group, parts]) =>
    parts.flatMap((part) => named(`--mk-${group}`, part)),
  );
  const rules = (pick: (value: Value) => string | number | undefined) =>
    all.flatMap(([name, value]) => {
      const text = pick(value);
      return text === undefined ? [] : [`${name}:${text};`];
    });
  const plain = rules((value) => (typeof value === "object" ? (value[`_${surface}`] ?? value.base) : value));
  const dark = rules((value) => (typeof value === "object" ? value._dark : undefined));
  return `:root{${plain.join("")}}.dark{${dark.join("")}}`;
}
