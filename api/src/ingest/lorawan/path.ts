/** One step into a decoded object: a member, a list index, or the first list entry with such a member. */
type Step =
  | { readonly kind: "member"; readonly name: string }
  | { readonly kind: "place"; readonly index: number }
  | { readonly kind: "entry"; readonly name: string; readonly value: string };

export type Path = readonly Step[];

const PATH = /^[^.[\]=]+(?:\[[^.[\]=]+(?:=[^[\]]*)?\])*(?:\.[^.[\]=]+(?:\[[^.[\]=]+(?:=[^[\]]*)?\])*)*$/;
const STEPS = /\[([^.[\]=]+)(?:=([^[\]]*))?\]|[^.[\]=]+/g;

/** Parse `a.b`, `list[0]` and `list[name=value].b`; null for any other text. */
export function parsePath(text: string): Path | null {
  if (!PATH.test(text)) return null;
  const steps: Step[] = [];
  for (const [whole, name, value] of text.matchAll(STEPS)) {
    if (name === undefined) steps.push({ kind: "member", name: whole });
    else if (value !== undefined) steps.push({ kind: "entry", name, value });
    else if (/^\d+$/.test(name)) steps.push({ kind: "place", index: Number(name) });
    else return null;
  }
  return steps;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Return a number or text as a path writes it; never convert an object, whose conversion may do anything. */
const textOf = (value: unknown): string | null =>
  typeof value === "string" || typeof value === "number" ? String(value) : null;

/** Return a member of the object itself, not an inherited one. */
const memberOf = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

function follow(value: unknown, step: Step): unknown {
  switch (step.kind) {
    case "member":
      return memberOf(value, step.name);
    case "place":
      return Array.isArray(value) ? value[step.index] : undefined;
    case "entry":
      return Array.isArray(value)
        ? value.find((entry) => textOf(memberOf(entry, step.name)) === step.value)
        : undefined;
  }
}

/** Return the value at a path; undefined where there is none. */
export const readPath = (value: unknown, path: Path): unknown => path.reduce(follow, value);
