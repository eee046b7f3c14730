import type { FieldSpec } from "@mulkko/shared/catalogue/device-type";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { RestClient } from "../../rest/client.ts";
import { fetchRawLog, fetchWateringLog } from "../../rest/logs.ts";
import type { LogSource } from "../sources/source.ts";
import { readSlices } from "./raw-slices.ts";
import {
  deviceSheet,
  type NamedWatering,
  type SheetWords,
  type WateringWords,
  wateringSheet,
} from "./sheets.ts";
import type { Sheet } from "./write-workbook.ts";

/** A device of the workbook, named as its sheet is. */
export interface ExportedSource {
  readonly name: string;
  readonly source: LogSource;
  readonly fields: readonly FieldSpec[];
}

export interface WorkbookQuery {
  readonly sources: readonly ExportedSource[];
  /** Channels whose waterings belong to it, with their names. */
  readonly channels: readonly { readonly id: string; readonly name: string }[];
  /** ms UTC; `to` is left out. */
  readonly from: number;
  readonly to: number;
  /** The zone of the API's times. */
  readonly zone: ApiTimeZone;
  readonly words: SheetWords & { readonly waterings: WateringWords };
  /** Share that has been read, 0 to 1. */
  onProgress(share: number): void;
}

/** Reads everything of a workbook, one question after another. @throws as the calls, TooManyRowsError */
export async function readWorkbookSheets(
  client: RestClient,
  query: WorkbookQuery,
  signal: AbortSignal,
): Promise<Sheet[]> {
  const { sources, channels, from, to, zone, words, onProgress } = query;
  const sheets: Sheet[] = [];
  for (const [index, { name, source, fields }] of sources.entries()) {
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
    sheets.push(deviceSheet(name, fields, rows, words));
  }
  if (channels.length > 0) {
    const found: NamedWatering[] = [];
    let kept = from;
    for (const { id, name } of channels) {
      const { waterings, keptFrom } = await fetchWateringLog(client, { channel: id, from, to }, signal);
      kept = Math.max(kept, keptFrom);
      found.push(...waterings.map((watering) => ({ channel: name, watering })));
    }
    sheets.push(wateringSheet(found, kept, words.waterings));
  }
  return sheets;
}
