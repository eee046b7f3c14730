import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { channelKey, controllerKey, sensorKey } from "@mulkko/shared/rules/device-keys";
import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { errorCode } from "../../../api/errors.ts";
import { useRest } from "../../../api/hooks.ts";
import { useLabels } from "../../../i18n/labels.ts";
import { type LiveFarm, useLink, useLiveSelection, useServerNow } from "../../../live/hooks.ts";
import { farmMembers } from "../../farm/farm-members.ts";
import { thingTitle } from "../../farm/use-names.ts";
import { useTimeWords } from "../../time/use-time-words.ts";
import { useWateringWords } from "../../watering/watering-words.ts";
import { type RangeChoice, spanOf } from "../range/range.ts";
import type { ShownSource } from "../sources/shown-source.ts";
import type { LogSource } from "../sources/source.ts";
import { channelsOf, sameChannels } from "../waterings/channels-of.ts";
import { fileName, sheetNames } from "./file-names.ts";
import { TooManyRowsError } from "./raw-slices.ts";
import { readWorkbookSheets } from "./read-workbook-sheets.ts";
import { wallTime, zoneTitle } from "./wall-time.ts";
import { writeWorkbook } from "./write-workbook.ts";

const KINDS = ["channel", "controller", "sensor"] as const;
const PLACES = ["farm", "controller", "sensor.listing"] as const;

const sameNames = (a: readonly (string | null)[], b: readonly (string | null)[]): boolean =>
  a.length === b.length && a.every((name, index) => name === b[index]);

/** Time zone of an API that has not reported its own yet. */
const API_ZONE = "Asia/Seoul";

/** State of an export; `share` is the part read so far, 0 to 1. */
export type ExcelState =
  | { state: "idle" }
  | { state: "reading"; share: number }
  | { state: "failed"; code: string };

export interface Excel {
  readonly excel: ExcelState;
  start(): void;
  cancel(): void;
}

/**
 * Export the raw rows of all sources in a range as an Excel file: a sheet for each source, and the waterings.
 */
export function useExcel(sources: readonly ShownSource[], choice: RangeChoice): Excel {
  const { t } = useTranslation(["log", "common"]);
  const labels = useLabels();
  const { client } = useRest();
  const { zone } = useTimeWords();
  const said = useWateringWords();
  const now = useServerNow();
  const apiZone = useLink(({ apiTimezone }) => apiTimezone) ?? API_ZONE;
  const findChannels = useCallback(
    (farm: LiveFarm) =>
      channelsOf(
        sources.map(({ source }) => source),
        farm,
      ),
    [sources],
  );
  const channels = useLiveSelection(KINDS, findChannels, sameChannels);
  const findFarms = useCallback(
    (live: LiveFarm) => {
      const farms = farmNamesIn(live);
      return [
        ...sources.map(({ source }) => farms.ofSource(source)),
        ...channels.map(({ id }) => farms.ofChannel(id)),
      ];
    },
    [sources, channels],
  );
  /** First of the sources, then of the channels. */
  const farms = useLiveSelection(PLACES, findFarms, sameNames);
  const [excel, setExcel] = useState<ExcelState>({ state: "idle" });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const write = async (signal: AbortSignal) => {
    const { from, to } = spanOf(choice, now(), zone);
    const channelWord = (number: number) => t("common:valve.channel", { number });
    const named = sources.map(({ source, name }) =>
      source.kind === "channel" ? thingTitle({ name, number: source.number }, channelWord) : name,
    );
    const own = channels.length > 0 ? [t("excel.waterings")] : [];
    const names = sheetNames([...named, ...own]);
    const time = wallTime(zone);
    // Outside this page the headings are the only indication of the time zone.
    const zoned = (head: string) => t("excel.zoned", { head, zone: zoneTitle(zone, from, to) });
    const sheets = await readWorkbookSheets(
      client,
      {
        sources: sources.map(({ source, type }, index) => ({
          name: names[index] ?? "",
          farm: farms[index] ?? null,
          source,
          fields: type.fields,
        })),
        channels: channels.map(({ id, name, number }, index) => ({
          id,
          name: thingTitle({ name, number }, channelWord),
          farm: farms[sources.length + index] ?? null,
        })),
        from,
        to,
        zone: createApiTimeZone(apiZone),
        texts: {
          time: zoned(t("excel.time")),
          farm: t("excel.farm"),
          field: labels.field,
          wallTime: time,
          waterings: {
            sheet: names.at(-1) ?? "",
            heads: {
              channel: t("excel.channel"),
              cause: t("excel.cause"),
              by: t("excel.by"),
              start: zoned(t("excel.start")),
              end: zoned(t("excel.end")),
              reason: t("excel.reason"),
              before: t("excel.before"),
              after: t("excel.after"),
              litres: t("excel.litres"),
              farm: t("excel.farm"),
            },
            wallTime: time,
            cause: (cause) => t(`common:watering.cause.${cause}`),
            ending: (watering) => said.ending(watering, now()),
            keptSince: (since) => t("excel.keptSince", { time: since }),
          },
        },
        onProgress: (share) => setExcel({ state: "reading", share }),
      },
      signal,
    );
    const [first = ""] = sources.map(({ name }) => name);
    const others = new Set(sources.map(({ source }) => source.id)).size - 1;
    signal.throwIfAborted();
    await writeWorkbook(
      sheets,
      fileName(others > 0 ? t("excel.fileName", { name: first, count: others }) : first),
    );
  };
  const start = () => {
    running.current?.abort();
    const abort = new AbortController();
    running.current = abort;
    setExcel({ state: "reading", share: 0 });
    write(abort.signal)
      .then(() => {
        if (!abort.signal.aborted) setExcel({ state: "idle" });
      })
      .catch((error: unknown) => {
        if (abort.signal.aborted) return;
        const code = error instanceof TooManyRowsError ? error.code : errorCode(error);
        setExcel({ state: "failed", code });
      });
  };
  const cancel = () => {
    running.current?.abort();
    setExcel({ state: "idle" });
  };
  return { excel, start, cancel };
}

/** Names of the farms of devices; null for none. */
interface FarmNames {
  ofSource(source: Pick<LogSource, "id" | "kind">): string | null;
  ofChannel(channelId: string): string | null;
}

function farmNamesIn(live: LiveFarm): FarmNames {
  const members = farmMembers(live);
  const named = (key: string): string | null =>
    members
      .of(key)
      .flatMap((id) => live.farms.get(id)?.info.name ?? [])
      .join(", ") || null;
  return {
    ofSource: ({ id, kind }) =>
      named(kind === "channel" && live.controllers.has(id) ? controllerKey(id) : sensorKey(id)),
    ofChannel: (channelId) => named(channelKey(channelId)),
  };
}
