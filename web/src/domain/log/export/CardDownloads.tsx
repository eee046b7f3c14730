import { Button, Stack } from "@chakra-ui/react";
import type { FieldSpec } from "@mulkko/shared/catalogue/device-type";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { DownloadIcon } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/icon-button.tsx";
import { Popup } from "../../../components/popover.tsx";
import { useLabels } from "../../../i18n/labels.ts";
import { useTimeTexts } from "../../time/use-time-texts.ts";
import type { LineBuckets, LogData } from "../data/log-data.ts";
import { csvOf, type LabelledLine, pictureOf } from "./card-files.ts";
import { fileName, rangedFileName, rangeName, saveFile } from "./write-workbook.ts";

interface CardDownloadsProps {
  title: string;
  /** Device name for the file name. */
  device: string;
  lines: readonly LabelledLine[];
  data: LogData;
  /** Return the buckets as displayed. */
  current: () => LineBuckets | null;
  picture: () => HTMLCanvasElement | null;
}

/** Look of an entry of the list. */
const ENTRY = { variant: "ghost", px: "3", justifyContent: "flex-start", fontWeight: "normal" } as const;

const withUnit = (label: string, { unit }: FieldSpec): string => (unit === "" ? label : `${label} ${unit}`);

/** Download buttons of a chart: its values as CSV and the chart as a picture. */
export function CardDownloads({ title, device, lines, data, current, picture }: CardDownloadsProps) {
  const { t } = useTranslation("log");
  const texts = useTimeTexts();
  const { shortAge } = useLabels();
  const [open, setOpen] = useState(false);
  const [failed, setFailed] = useState(false);
  const close = () => {
    setOpen(false);
    setFailed(false);
  };
  const measured = () => current() ?? data.buckets;
  /** First and last time of the shown values, ms UTC; null without values. */
  const shownRange = () => {
    const times = lines.flatMap(({ id }) => measured()[id] ?? []).map(({ t: at }) => at * 1000);
    return times.length === 0 ? null : { from: Math.min(...times), to: Math.max(...times) };
  };
  const nameOf = (range: ReturnType<typeof shownRange>) => {
    const name = device === title ? device : `${device}-${title}`;
    return range ? rangedFileName(name, rangeName(range.from, range.to, texts)) : fileName(name);
  };
  const saveCsv = () => {
    const buckets = measured();
    const columns = lines.map(({ id, label, field }) => ({
      // State the step in the file: without it a mean could be read as a single measurement.
      head: `${withUnit(label, field)} (${t("download.means", { step: shortAge(data.step) })})`,
      buckets: buckets[id] ?? [],
      field,
    }));
    const text = csvOf("date", columns, createApiTimeZone(texts.zone).toApi);
    saveFile(new Blob([text], { type: "text/csv;charset=utf-8" }), `${nameOf(shownRange())}.csv`);
    close();
  };
  const savePicture = async () => {
    const chart = picture();
    const range = shownRange();
    if (!chart || !range) return setFailed(true);
    try {
      const png = await pictureOf(chart, {
        title: device === title ? title : `${device} · ${title}`,
        note: `${texts.dayTime(range.from)} – ${texts.dayTime(range.to)}`,
        lines: lines.map((line) => ({ ...line, label: withUnit(line.label, line.field) })),
      });
      saveFile(png, `${nameOf(range)}.png`);
      close();
    } catch {
      setFailed(true);
    }
  };
  return (
    <Popup
      label={t("download.title")}
      open={open}
      onOpenChange={(opens) => (opens ? setOpen(true) : close())}
      trigger={
        <IconButton label={t("download.of", { name: title })}>
          <DownloadIcon size={20} />
        </IconButton>
      }
    >
      <Stack gap="1">
        <Button {...ENTRY} onClick={saveCsv}>
          {t("download.csv")}
        </Button>
        <Button {...ENTRY} onClick={() => void savePicture()}>
          {t("download.png")}
        </Button>
        {failed && <p role="alert">{t("download.failed")}</p>}
      </Stack>
    </Popup>
  );
}
