/** Devices that a person has chosen to look at; both lists stand in the address. */
export interface Chosen {
  /** Sensors. */
  readonly ids: readonly string[];
  /** Things with valves: controllers and COT sensors. */
  readonly cots: readonly string[];
}

/** Most devices whose past is drawn at once. */
export const MOST_CHOSEN = 12;

const listOf = (text: string | null): string[] =>
  [...new Set((text ?? "").split(",").filter((id) => id !== ""))].slice(0, MOST_CHOSEN);

export function readChosen(params: URLSearchParams): Chosen {
  return { ids: listOf(params.get("ids")), cots: listOf(params.get("cots")) };
}

/** Writes what is chosen into an address; an empty list leaves no trace. */
export function writeChosen(params: URLSearchParams, { ids, cots }: Chosen): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [name, list] of [
    ["ids", ids],
    ["cots", cots],
  ] as const) {
    if (list.length === 0) next.delete(name);
    else next.set(name, list.join(","));
  }
  return next;
}

/** Puts a device into its list, or takes it out. More than {@link MOST_CHOSEN} are not taken. */
export function toggleChosen(chosen: Chosen, kind: "sensor" | "box", id: string): Chosen {
  const toggle = (list: readonly string[]): readonly string[] => {
    if (list.includes(id)) return list.filter((each) => each !== id);
    return countChosen(chosen) < MOST_CHOSEN ? [...list, id] : list;
  };
  return kind === "box" ? { ...chosen, cots: toggle(chosen.cots) } : { ...chosen, ids: toggle(chosen.ids) };
}

export const countChosen = ({ ids, cots }: Chosen): number => ids.length + cots.length;
