import { Button, chakra, Flex, Grid, Text } from "@chakra-ui/react";
import { useId, useState } from "react";
import { useTranslation } from "../../i18n/use-translation.ts";
import type { YRange } from "../../ui/chart/chart-model.ts";
import { readYRange } from "./y-range.ts";

export interface YRangeFormProps {
  /** Name of the line with its unit. */
  label: string;
  range: YRange | null;
  onChange: (range: YRange | null) => void;
  onClose: () => void;
}

/** Form for the y range of one line: Min, Max; Cancel, Confirm, Reset. */
export function YRangeForm({ label, range, onChange, onClose }: YRangeFormProps) {
  const { t } = useTranslation(["log", "common"]);
  const [min, setMin] = useState(`${range?.min ?? ""}`);
  const [max, setMax] = useState(`${range?.max ?? ""}`);
  const [wrong, setWrong] = useState(false);
  const wrongId = useId();
  const done = (next: YRange | null) => {
    onChange(next);
    onClose();
  };
  return (
    <chakra.form
      display="grid"
      gap="3"
      minW="min(18rem, 100%)"
      css={{
        "& label": { display: "grid", gap: "1", color: "fg.muted", fontSize: "label" },
        "& input": {
          w: "full",
          minH: "12",
          py: "0",
          px: "3",
          borderWidth: "1px",
          borderColor: "border.strong",
          rounded: "md",
          bg: "bg.panel",
          color: "fg",
          fontSize: "md",
        },
        "& input[aria-invalid]": { borderColor: "alarm.p1.fg" },
      }}
      onSubmit={(event) => {
        event.preventDefault();
        const read = readYRange(min, max);
        if (read === "wrong") setWrong(true);
        else done(read);
      }}
    >
      <Text fontSize="md" fontWeight="semibold">
        {t("yRange.of", { name: label })}
      </Text>
      <YRangeEnds min={min} max={max} onMin={setMin} onMax={setMax} {...(wrong && { wrongId })} />
      <Flex wrap="wrap" justify="flex-end" gap="2">
        <Button size="sm" variant="ghost" onClick={onClose}>
          {t("common:action.cancel")}
        </Button>
        <Button size="sm" variant="outline" onClick={() => done(null)}>
          {t("yRange.reset")}
        </Button>
        <Button size="sm" type="submit">
          {t("confirm")}
        </Button>
      </Flex>
    </chakra.form>
  );
}

export interface YRangeEndsProps {
  min: string;
  max: string;
  onMin: (text: string) => void;
  onMax: (text: string) => void;
  /** Id of the error message if the two values are invalid. */
  wrongId?: string;
}

/** The two fields and their error. */
export function YRangeEnds({ min, max, onMin, onMax, wrongId }: YRangeEndsProps) {
  const { t } = useTranslation(["log", "common"]);
  const marked = wrongId === undefined ? {} : { "aria-invalid": true, "aria-describedby": wrongId };
  return (
    <>
      <Grid templateColumns="repeat(2, minmax(0, 1fr))" gap="3">
        <label>
          {t("common:statistic.min")}
          <input
            inputMode="decimal"
            value={min}
            onChange={(event) => onMin(event.target.value)}
            {...marked}
          />
        </label>
        <label>
          {t("common:statistic.max")}
          <input
            inputMode="decimal"
            value={max}
            onChange={(event) => onMax(event.target.value)}
            {...marked}
          />
        </label>
      </Grid>
      {wrongId !== undefined && (
        <Text color="alarm.p1.fg" role="alert" id={wrongId}>
          {t("yRange.wrong")}
        </Text>
      )}
    </>
  );
}
