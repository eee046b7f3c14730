import { chakra } from "@chakra-ui/react";
import type { FieldName } from "@mulkko/shared/catalogue/fields";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Popup } from "../../../components/popover.tsx";
import { useLabels } from "../../../i18n/labels.ts";
import { seriesColorVar } from "../../chart/series-colors.ts";
import type { BoardLine } from "./board-cards.ts";
import { useYRanges } from "./use-y-ranges.ts";
import { YRangeDialog, YRangeForm } from "./YRangeForm.tsx";
import { rangeName } from "./y-range-store.ts";

/** Symbol of a measurement in a line's icon, as used in the field, the same in every language. */
const GLYPHS: Readonly<Record<FieldName, string>> = {
  soilTemperature: "°C",
  temperature: "°C",
  moisture: "%",
  humidity: "RH",
  battery: "▮",
  ec: "EC",
  ph: "pH",
  n: "N",
  p: "P",
  k: "K",
  co2: "CO₂",
  pressure: "hPa",
  press: "hPa",
  solar: "☀",
  td: "Td",
  vpd: "VPD",
  windD: "↗",
  windS: "m/s",
  rain: "mm",
  illuminance: "lx",
  stress: "!",
  flowmeter: "ΣL",
  speed: "L/m",
  pumpopencount: "#",
  gdo: "O₂",
  waterlevel: "mm",
  acceleration: "g",
  gyroActivity: "∿",
  altitude: "m",
  lux: "lx",
  t15: "15°",
  t30: "30°",
  m15: "15%",
  m30: "30%",
  rh: "RH",
  l: "cm",
  valve: "⧓",
};

const isKnown = (field: string): field is FieldName => Object.hasOwn(GLYPHS, field);

/** Return the symbol of a field; the first letters of the name for an unknown one. */
function fieldGlyph(field: string): string {
  return isKnown(field) ? GLYPHS[field] : field.slice(0, 2);
}

export interface SeriesIconsProps {
  lines: readonly BoardLine[];
  /** True if the lines are one measurement of several devices, with one axis and one dialog. */
  compares: boolean;
  /** Called with the line whose popup opens: it gets the axis. */
  onPromote: (id: string) => void;
}

/** Icon buttons of the lines; each opens the y range of its line. */
export function SeriesIcons({ lines, compares, onPromote }: SeriesIconsProps) {
  const { t } = useTranslation("log");
  const labels = useLabels();
  const ranges = useYRanges();
  const [open, setOpen] = useState<string | null>(null);
  const shown = compares ? lines.slice(0, 1) : lines;
  const close = () => setOpen(null);
  return (
    <chakra.span display="inline-flex" flexWrap="wrap" gap="1" role="toolbar" aria-label={t("yRange.title")}>
      {shown.map(({ id, type, field, color }) => {
        const name = rangeName(type.type, field.name);
        const names = compares ? lines.map((line) => rangeName(line.type.type, field.name)) : [name];
        const label = [labels.field(field.name), field.unit].filter(Boolean).join(" ");
        const form = {
          label,
          range: ranges.get(name),
          onChange: (range: Parameters<typeof ranges.set>[1]) => {
            for (const each of new Set(names)) ranges.set(each, range);
          },
          onClose: close,
        };
        // One line has room for a word.
        const shownText = shown.length === 1 ? t("yRange.short") : fieldGlyph(field.name);
        const title = t("yRange.of", { name: label });
        const trigger = (
          <chakra.button
            type="button"
            minW="max(2.75rem, var(--finger))"
            h="max(2.75rem, var(--finger))"
            py="0"
            px="1.5"
            borderBottom="3px solid"
            rounded="var(--mk-radii-card) var(--mk-radii-card) 0 0"
            color="fg.muted"
            fontSize="label"
            fontWeight="semibold"
            cursor="pointer"
            _hover={{ bg: "bg.sunk", color: "fg" }}
            css={{
              '&[aria-expanded="true"]': { bg: "bg.sunk", color: "fg" },
              "&[data-set]": { color: "fg", textDecoration: "underline", textUnderlineOffset: "0.2rem" },
            }}
            data-testid="series-icon"
            // The accessible name includes the visible text, for speech control.
            aria-label={title.includes(shownText) ? title : `${shownText}, ${title}`}
            title={title}
            aria-haspopup="dialog"
            data-set={ranges.get(name) !== null || undefined}
            style={{ borderBottomColor: `var(${seriesColorVar(color)})` }}
            onClick={() => {
              onPromote(id);
              if (compares) setOpen(id);
            }}
          >
            <span aria-hidden>{shownText}</span>
          </chakra.button>
        );
        if (compares) {
          return (
            <span key={id}>
              {trigger}
              {open === id && <YRangeDialog {...form} />}
            </span>
          );
        }
        return (
          <Popup
            key={id}
            label={t("yRange.of", { name: label })}
            open={open === id}
            onOpenChange={(opens) => setOpen(opens ? id : null)}
            trigger={trigger}
          >
            <YRangeForm {...form} />
          </Popup>
        );
      })}
    </chakra.span>
  );
}
