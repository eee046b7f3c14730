/** One step into a decoded object: a member, a place in a list, or the list's first entry with such a member. */
type Step =
  | { readonly kind: "member"; readonly name: string }
  | { readonly kind: "place"; readonly index: number }
  | { readonly kind: "entry"; readonly name: string; readonly value: string };

export type Path = readonly Step[];

const PATH = /^[^.[\]=]+(?:\[[^.[\]=]+(?:=[^[\]]*)?\])*(?:\.[^.[\]=]+(?:\[[^.[\]=]+(?:=[^[\]]*)?\])*)*$/;
const STEPS = /\[([^.[\]=]+)(?:=([^[\]]*))?\]|[^.[\]=]+/g;

/** Reads `a.b`, `list[0]` and `list[name=value].b`; null where the text is none of these. */
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

/** A number or text as a path writes it; of an object nothing is asked, as it may answer anything. */
const textOf = (value: unknown): string | null =>
  typeof value === "string" || typeof value === "number" ? String(value) : null;

/** A member of the object itself: nothing that it inherits. */
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

/** What stands at a path; undefined where it leads nowhere. */
export const readPath = (value: unknown, path: Path): unknown => path.reduce(follow, value);
