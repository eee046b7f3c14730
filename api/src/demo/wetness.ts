/** Effect of an open valve on its channel's sensors, and its decay. */
export interface Soak {
  /** The field that rises. */
  readonly field: "moisture" | "l";
  /** Largest rise, in the field's unit. */
  readonly most: number;
  /** Time constant of the rise, ms: an open valve reaches 63 % of `most`. */
  readonly soakMs: number;
  /** Time constant of the fall after closing, ms: the rise falls to 37 %. */
  readonly dryMs: number;
  /** Upper limit of the field. */
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

/**
 * A shallow bed on sand: wet within minutes, and dry again within minutes, so that the automatic mode is
 * visible.
 */
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

/** The rise at a time on the monotonic clock. */
export interface Wetness {
  readonly added: number;
  readonly since: number;
  readonly open: boolean;
}

/** Return the rise at `monotonic` (ms) for an open or closed valve. */
export function addedAt(soak: Soak, wetness: Wetness, monotonic: number): number {
  const passed = Math.max(0, monotonic - wetness.since);
  if (!wetness.open) return wetness.added * Math.exp(-passed / soak.dryMs);
  return soak.most - (soak.most - wetness.added) * Math.exp(-passed / soak.soakMs);
}

/** Switch the valve at `monotonic`; the rise continues from its value. */
export function turned(soak: Soak, wetness: Wetness, open: boolean, monotonic: number): Wetness {
  return { added: addedAt(soak, wetness, monotonic), since: monotonic, open };
}

/** Add the rise to a reading's fields. A device without that field, or with a fault in it, is unchanged. */
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
