import { Button, Popover, Portal } from "@chakra-ui/react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CalendarIcon } from "../../ui/icon/icons.tsx";
import { isDay, PRESETS, type RangeChoice } from "./range.ts";

export interface RangePickerProps {
  choice: RangeChoice;
  onChoose: (choice: RangeChoice) => void;
}

/** Presets in one row, and two days of one's own; those apply when both are picked. */
export function RangePicker({ choice, onChoose }: RangePickerProps) {
  const { t } = useTranslation(["sensor-log", "common"]);
  return (
    <div className="range-picker" role="toolbar" aria-label={t("range.label")}>
      {PRESETS.map((preset) => (
        <button
          key={preset}
          type="button"
          aria-pressed={choice.kind === "preset" && choice.preset === preset}
          onClick={() => onChoose({ kind: "preset", preset })}
        >
          {t(`range.${preset}`)}
        </button>
      ))}
      <CustomRange choice={choice} onChoose={onChoose} />
    </div>
  );
}

function CustomRange({ choice, onChoose }: RangePickerProps) {
  const { t } = useTranslation(["sensor-log", "common"]);
  const [open, setOpen] = useState(false);
  const [start, setStart] = useState(choice.kind === "custom" ? choice.start : "");
  const [end, setEnd] = useState(choice.kind === "custom" ? choice.end : "");
  const ready = isDay(start) && isDay(end);
  const apply = () => {
    const [first, last] = start <= end ? [start, end] : [end, start];
    onChoose({ kind: "custom", start: first, end: last });
    setOpen(false);
  };
  return (
    <Popover.Root
      open={open}
      onOpenChange={({ open: opens }) => setOpen(opens)}
      positioning={{ placement: "bottom-end" }}
      lazyMount
    >
      <Popover.Trigger asChild>
        <button type="button" aria-pressed={choice.kind === "custom"} className="range-picker__custom">
          <CalendarIcon />
          {choice.kind === "custom" ? `${choice.start} – ${choice.end}` : t("range.custom")}
        </button>
      </Popover.Trigger>
      <Portal>
        <Popover.Positioner>
          <Popover.Content className="range-picker__panel" aria-label={t("range.custom")}>
            <label>
              {t("range.start")}
              <input
                type="date"
                value={start}
                max={end || undefined}
                onChange={(event) => setStart(event.target.value)}
              />
            </label>
            <label>
              {t("range.end")}
              <input
                type="date"
                value={end}
                min={start || undefined}
                onChange={(event) => setEnd(event.target.value)}
              />
            </label>
            <Button size="sm" disabled={!ready} onClick={apply}>
              {t("confirm")}
            </Button>
          </Popover.Content>
        </Popover.Positioner>
      </Portal>
    </Popover.Root>
  );
}
