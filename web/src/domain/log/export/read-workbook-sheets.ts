import type { FieldSpec } from "@mulkko/shared/catalogue/device-type";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { RestClient } from "../../../api/client.ts";
import { fetchRawLog, fetchWateringLog } from "../../../api/logs.ts";
import type { LogSource } from "../sources/source.ts";
import { readSlices } from "./raw-slices.ts";
import {
  deviceSheet,
  type NamedWatering,
  type SheetTexts,
  type WateringSheetTexts,
  wateringSheet,
} from "./sheets.ts";
import type { Sheet } from "./write-workbook.ts";

/** Device of the workbook with the name of its sheet. */
export interface ExportedSource {
  readonly name: string;
  readonly farm: string | null;
  readonly source: LogSource;
  readonly fields: readonly FieldSpec[];
}

export interface WorkbookQuery {
  readonly sources: readonly ExportedSource[];
  /** Channels whose waterings are included, with their names and farms. */
  readonly channels: readonly { readonly id: string; readonly name: string; readonly farm: string | null }[];
  /** ms UTC; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  /** Time zone of the API's times. */
  readonly zone: ApiTimeZone;
  readonly texts: SheetTexts & { readonly waterings: WateringSheetTexts };
  /** Called with the share read so far, 0 to 1. */
  onProgress(share: number): void;
}

/**
 * Read all contents of a workbook in consecutive requests. The sheet of waterings is last and exists only if
 * the range has any.
 *
 * @throws TooManyRowsError, or what the calls throw
 */
export async function readWorkbookSheets(
  client: RestClient,
  query: WorkbookQuery,
  signal: AbortSignal,
): Promise<Sheet[]> {
  const { sources, channels, from, to, zone, texts, onProgress } = query;
  const sheets: Sheet[] = [];
  for (const [index, { name, farm, source, fields }] of sources.entries()) {
    const rows = await readSlices({
      from,
      to,
      read: async (start, end) => {
        const { rows: raw, truncated } = await fetchRawLog(
          client,
          { ...source, from: start, to: end, zone },
          signal,
        );
        const timed = raw.flatMap((row) => {
          const at = zone.toInstant(row.createdDate);
          return at === null ? [] : [{ at, row }];
        });
        return { rows: timed, truncated };
      },
      onRead: (ms) => onProgress((index + ms / (to - from)) / sources.length),
    });
    sheets.push(deviceSheet(name, farm, fields, rows, texts));
  }
  if (channels.length > 0) {
    const found: NamedWatering[] = [];
    let kept = from;
    for (const { id, name, farm } of channels) {
      const { waterings, keptFrom } = await fetchWateringLog(client, { channel: id, from, to }, signal);
      kept = Math.max(kept, keptFrom);
      found.push(...waterings.map((watering) => ({ channel: name, farm, watering })));
    }
    // A sheet with only a heading would contain no information.
    if (found.length > 0) sheets.push(wateringSheet(found, kept, texts.waterings));
  }
  return sheets;
}
