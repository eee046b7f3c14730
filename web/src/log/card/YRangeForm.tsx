import { Button } from "@chakra-ui/react";
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
    <form
      className="y-range"
      onSubmit={(event) => {
        event.preventDefault();
        const read = readYRange(min, max);
        if (read === "wrong") setWrong(true);
        else done(read);
      }}
    >
      <p className="y-range__title">{t("yRange.of", { name: label })}</p>
      <YRangeEnds min={min} max={max} onMin={setMin} onMax={setMax} {...(wrong && { wrongId })} />
      <div className="y-range__actions">
        <Button size="sm" variant="ghost" onClick={onClose}>
          {t("common:action.cancel")}
        </Button>
        <Button size="sm" variant="outline" onClick={() => done(null)}>
          {t("yRange.reset")}
        </Button>
        <Button size="sm" type="submit">
          {t("confirm")}
        </Button>
      </div>
    </form>
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
      <div className="y-range__ends">
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
      </div>
      {wrongId !== undefined && (
        <p className="y-range__wrong" role="alert" id={wrongId}>
          {t("yRange.wrong")}
        </p>
      )}
    </>
  );
}
