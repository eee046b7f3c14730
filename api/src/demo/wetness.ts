/** What an open valve does to its channel's sensors, and how it goes back. */
export interface Soak {
  /** The field that rises. */
  readonly field: "moisture" | "l";
  /** Most that is added, in the field's unit. */
  readonly most: number;
  /** Time in which an open valve brings the added part 63 % of the way to the most. */
  readonly soakMs: number;
  /** Time in which the added part falls to 37 % once the valve is closed. */
  readonly dryMs: number;
  /** The field never exceeds this. */
  readonly ceiling: number;
}

const MINUTE_MS = 60_000;

/** Soil under a drip line: about two points in the first minute, dry again in a few hours. */
export const SOIL_SOAK: Soak = {
  field: "moisture",
  most: 14,
  soakMs: 6 * MINUTE_MS,
  dryMs: 90 * MINUTE_MS,
  ceiling: 60,
};

/** A shallow bed on sand: wet within minutes, and dry again within minutes, so that the automatic mode is seen. */
export const SAND_SOAK: Soak = {
  field: "moisture",
  most: 30,
  soakMs: 2 * MINUTE_MS,
  dryMs: 12 * MINUTE_MS,
  ceiling: 60,
};

/** A paddy behind its inlet: more than a centimetre in the first minute. */
export const PADDY_SOAK: Soak = {
  field: "l",
  most: 8,
  soakMs: 5 * MINUTE_MS,
  dryMs: 60 * MINUTE_MS,
  ceiling: 25,
};

/** What has been added at a point of time on a clock that never jumps. */
export interface Wetness {
  readonly added: number;
  readonly since: number;
  readonly open: boolean;
}

/** What an open or closed valve has made of the added part by `monotonic` (milliseconds). */
export function addedAt(soak: Soak, wetness: Wetness, monotonic: number): number {
  const passed = Math.max(0, monotonic - wetness.since);
  if (!wetness.open) return wetness.added * Math.exp(-passed / soak.dryMs);
  return soak.most - (soak.most - wetness.added) * Math.exp(-passed / soak.soakMs);
}

/** Turns the tap at `monotonic`; the added part goes on from where it is. */
export function turned(soak: Soak, wetness: Wetness, open: boolean, monotonic: number): Wetness {
  return { added: addedAt(soak, wetness, monotonic), since: monotonic, open };
}

/** A reading's fields with the added water; a device without that field, or with a fault in it, is left as it is. */
export function withWater(
  soak: Soak,
  fields: Readonly<Record<string, number | null>>,
  added: number,
): Readonly<Record<string, number | null>> {
  const base = fields[soak.field];
  if (typeof base !== "number" || added <= 0) return fields;
  const wet = Math.max(base, Math.min(soak.ceiling, base + added));
  return { ...fields, [soak.field]: Math.round(wet * 100) / 100 };
}
