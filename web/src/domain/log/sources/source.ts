/** Source of a log: a sensor, or one channel (by its number) of a COT sensor or controller. */
export type LogSource =
  | { readonly kind: "sensor"; readonly id: string }
  | { readonly kind: "channel"; readonly id: string; readonly number: number };

/** Return the unique key of a source. */
export function sourceKey(source: LogSource): string {
  return source.kind === "sensor" ? source.id : `${source.id}:${source.number}`;
}

/** Return the key of a chart line: a field of a source. */
export function lineId(source: LogSource, field: string): string {
  return `${field} ${sourceKey(source)}`;
}
