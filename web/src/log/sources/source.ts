/** Whose past is shown: a sensor's, or that of one channel (by its number) of a COT sensor or a controller. */
export type LogSource =
  | { readonly kind: "sensor"; readonly id: string }
  | { readonly kind: "channel"; readonly id: string; readonly number: number };

/** Names a source; the same text for the same source. */
export function sourceKey(source: LogSource): string {
  return source.kind === "sensor" ? source.id : `${source.id}:${source.number}`;
}

/** Names one line of a chart: a field of a source. */
export function lineId(source: LogSource, field: string): string {
  return `${field} ${sourceKey(source)}`;
}
