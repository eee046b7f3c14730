import { Box, Button, chakra, Flex, Grid, Input, Stack, Text } from "@chakra-ui/react";
import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Modal } from "../../../components/dialog.tsx";
import { Popup } from "../../../components/popover.tsx";
import { useLabels } from "../../../i18n/labels.ts";
import type { YRange } from "../../chart/chart-model.ts";
import { seriesColorVar } from "../../chart/chart-model.ts";
import type { BoardLine } from "./board-cards.ts";
import { fieldGlyph } from "./field-glyphs.ts";
import { rangeName, readSharedYRange, readYRange, useYRanges } from "./y-ranges.ts";

interface SeriesIconsProps {
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
  const { ranges, setRange } = useYRanges();
  const [open, setOpen] = useState<string | null>(null);
  const shown = compares ? lines.slice(0, 1) : lines;
  return (
    <chakra.span display="inline-flex" flexWrap="wrap" gap="1" role="toolbar" aria-label={t("yRange.title")}>
      {shown.map(({ id, type, field, color }) => {
        const name = rangeName(type.type, field.name);
        const names = compares ? lines.map((line) => rangeName(line.type.type, field.name)) : [name];
        const label = [labels.field(field.name), field.unit].filter(Boolean).join(" ");
        const form: YRangeProps = {
          label,
          range: ranges.get(name) ?? null,
          onChange: (range) => {
            for (const each of new Set(names)) setRange(each, range);
          },
          onClose: () => setOpen(null),
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
            data-set={ranges.has(name) || undefined}
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
            label={title}
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

interface YRangeProps {
  /** Name of the line or title of the chart, with its unit. */
  label: string;
  range: YRange | null;
  onChange: (range: YRange | null) => void;
  onClose: () => void;
}

/** Return the two fields of a range with their hint or error, and their submission. */
function useEnds({ range, onChange, onClose }: YRangeProps, isShared: boolean) {
  const { t } = useTranslation(["log", "common"]);
  // A shared axis shows 0 where an end is not set (the specification).
  const [empty, read] = isShared ? ["0", readSharedYRange] : ["", readYRange];
  const note = useId();
  const [ends, setEnds] = useState({ min: `${range?.min ?? empty}`, max: `${range?.max ?? empty}` });
  const [wrong, setWrong] = useState(false);
  const done = (next: YRange | null) => {
    onChange(next);
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const next = read(ends.min, ends.max);
    if (next === "wrong") setWrong(true);
    else done(next);
  };
  const fields = (
    <>
      <Grid templateColumns="repeat(2, minmax(0, 1fr))" gap="3">
        {(["min", "max"] as const).map((end) => (
          <Box key={end} as="label" color="fg.muted" textStyle="label">
            {t(`common:statistic.${end}`)}
            <Input
              marginTop="1"
              color="fg"
              inputMode="decimal"
              value={ends[end]}
              onChange={(event) => setEnds({ ...ends, [end]: event.target.value })}
              aria-describedby={note}
              {...(wrong && { "aria-invalid": true })}
            />
          </Box>
        ))}
      </Grid>
      {wrong ? (
        <Text role="alert" id={note} color="fg.error">
          {t("yRange.wrong")}
        </Text>
      ) : (
        <Text id={note} color="fg.muted" textStyle="label">
          {t(isShared ? "yRange.autoShared" : "yRange.auto")}
        </Text>
      )}
    </>
  );
  return { fields, done, submit };
}

/** Form for the y range of one line: Min, Max; Cancel, Confirm, Reset. */
function YRangeForm(props: YRangeProps) {
  const { t } = useTranslation(["log", "common"]);
  const form = useEnds(props, false);
  return (
    <Stack as="form" gap="3" minWidth="min(18rem, 100%)" onSubmit={form.submit}>
      <Text textStyle="md" fontWeight="semibold">
        {t("yRange.of", { name: props.label })}
      </Text>
      {form.fields}
      <Flex wrap="wrap" justify="flex-end" gap="2">
        <Button size="sm" variant="ghost" onClick={props.onClose}>
          {t("common:action.cancel")}
        </Button>
        <Button size="sm" variant="outline" onClick={() => form.done(null)}>
          {t("yRange.reset")}
        </Button>
        <Button size="sm" type="submit">
          {t("confirm")}
        </Button>
      </Flex>
    </Stack>
  );
}

/** Dialog for the y axis of a comparison: Min, Max (0 if not set); Cancel, Apply. */
function YRangeDialog(props: YRangeProps) {
  const { t } = useTranslation(["log", "common"]);
  const form = useEnds(props, true);
  const id = useId();
  return (
    <Modal
      open
      title={t("yRange.change")}
      onClose={props.onClose}
      actions={
        <>
          <Button variant="outline" onClick={props.onClose}>
            {t("common:action.cancel")}
          </Button>
          <Button type="submit" form={id}>
            {t("yRange.apply")}
          </Button>
        </>
      }
    >
      <p>{props.label}</p>
      <Stack as="form" id={id} gap="3" onSubmit={form.submit}>
        {form.fields}
      </Stack>
    </Modal>
  );
}
