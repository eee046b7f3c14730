import { Button, chakra, Text } from "@chakra-ui/react";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { channelKey, controllerKey, sensorKey } from "@mulkko/shared/rules/device-keys";
import { useMutation } from "@tanstack/react-query";
import { DownloadIcon } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { errorCode } from "../../../api/errors.ts";
import { useRest } from "../../../api/hooks.ts";
import { useLabels } from "../../../i18n/labels.ts";
import { type LiveFarm, useLink, useLiveFarm, useServerNow } from "../../../live/hooks.ts";
import { farmMembers } from "../../farm/farm-members.ts";
import { useTimeTexts } from "../../time/use-time-texts.ts";
import { useWateringTexts } from "../../watering/watering-texts.ts";
import { type RangeChoice, spanOf } from "../range/range.ts";
import { channelsOf } from "../sources/shown-waterings.ts";
import type { ShownSource } from "../sources/source.ts";
import { readWorkbookSheets, TooManyRowsError } from "./sheets.ts";
import { rangedFileName, rangeName, writeWorkbook, zoneTitle } from "./write-workbook.ts";

/** Time zone of an API that has not reported its own yet. */
const API_ZONE = "Asia/Seoul";

interface ExcelButtonProps {
  sources: readonly ShownSource[];
  choice: RangeChoice;
}

/** Download all rows of the range as an Excel file, with progress and a cancel button while they load. */
export function ExcelButton({ sources, choice }: ExcelButtonProps) {
  const { t } = useTranslation(["log", "common"]);
  const labels = useLabels();
  const write = useWriting(sources, choice);
  /** Share read so far, 0 to 1. */
  const [share, setShare] = useState(0);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn() {
      running.current = new AbortController();
      setShare(0);
      return write(setShare, running.current.signal);
    },
  });
  const cancel = () => {
    running.current?.abort();
    reset();
  };
  return (
    <chakra.span position="relative" display="inline-flex" flexWrap="wrap" alignItems="center" gap="2">
      <Button
        variant="outline"
        size="sm"
        bg="bg.panel"
        _hover={{ bg: "bg.sunk" }}
        onClick={isPending ? cancel : () => mutate()}
        disabled={sources.length === 0}
      >
        <DownloadIcon />
        {isPending ? t("excel.reading", { percent: Math.floor(share * 100) }) : t("excel.save")}
      </Button>
      {isPending && (
        <chakra.progress
          position="absolute"
          inset="auto 0 0"
          w="full"
          h="3px"
          accentColor="var(--mk-colors-fg)"
          value={share}
          max={1}
          aria-label={t("excel.save")}
        />
      )}
      {error && (
        <Text as="span" color="alarm.p1.fg" fontSize="label" role="alert">
          {error instanceof TooManyRowsError
            ? t("excel.tooMany")
            : t("common:sentences", { first: t("excel.failed"), second: labels.error(errorCode(error)) })}
        </Text>
      )}
    </chakra.span>
  );
}

/**
 * Return a function that exports the raw rows of all sources in a range as an Excel file: a sheet for each
 * source, and the waterings.
 */
function useWriting(sources: readonly ShownSource[], choice: RangeChoice) {
  const { t } = useTranslation(["log", "common"]);
  const { field, thing } = useLabels();
  const { client } = useRest();
  const texts = useTimeTexts();
  const { zone } = texts;
  const said = useWateringTexts();
  const now = useServerNow();
  const live = useLiveFarm();
  const apiZone = useLink(({ apiTimezone }) => apiTimezone) ?? API_ZONE;
  return async (onProgress: (share: number) => void, signal: AbortSignal) => {
    const { from, to } = spanOf(choice, now(), zone);
    const farm = live();
    const farmsOf = farmNamesIn(farm);
    const asked = sources.map(({ source }) => source);
    const channels = channelsOf(asked, farm);
    const sheets = await readWorkbookSheets(
      client,
      {
        sources: sources.map(({ source, type, name }) => ({
          name: source.kind === "channel" ? thing({ name, number: source.number }) : name,
          farm: farmsOf(
            source.kind === "channel" && farm.controllers.has(source.id)
              ? controllerKey(source.id)
              : sensorKey(source.id),
          ),
          source,
          fields: type.fields,
        })),
        channels: channels.map(({ id, name, number }) => ({
          id,
          name: thing({ name, number }),
          farm: farmsOf(channelKey(id)),
        })),
        from,
        to,
        apiClock: { zone: createApiTimeZone(apiZone), now },
        texts: {
          // Outside this page the headings of times are the only indication of the time zone.
          head: (column, kind) =>
            kind === "time"
              ? t("excel.zoned", { head: t(`excel.${column}`), zone: zoneTitle(zone, from, to) })
              : t(`excel.${column}`),
          field,
          wallTime: createApiTimeZone(zone).toApi,
          waterings: t("excel.waterings"),
          cause: (cause) => t(`common:watering.cause.${cause}`),
          ending: (watering) => said.ending(watering, now()),
          keptSince: (since) => t("excel.keptSince", { time: since }),
        },
        onProgress,
      },
      signal,
    );
    const first = sources[0]?.name ?? "";
    const count = new Set(asked.map(({ id }) => id)).size - 1;
    signal.throwIfAborted();
    const name = count > 0 ? t("excel.fileName", { name: first, count }) : first;
    await writeWorkbook(sheets, rangedFileName(name, rangeName(from, to, texts)));
  };
}

/** Return the names of the farms of a device by its key; null for none. */
function farmNamesIn(live: LiveFarm): (key: string) => string | null {
  const members = farmMembers(live);
  return (key) =>
    members
      .of(key)
      .flatMap((id) => live.farms.get(id)?.info.name ?? [])
      .join(", ") || null;
}
