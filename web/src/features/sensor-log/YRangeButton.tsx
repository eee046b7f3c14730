import { Button, Popover, Portal } from "@chakra-ui/react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { YRange } from "../../ui/chart/chart-model.ts";
import { SettingsIcon } from "../../ui/icon/icons.tsx";
import { IconButton } from "../../ui/layout/icon-button.tsx";
import { readYRange } from "./y-range.ts";

export interface YRangeButtonProps {
  fields: readonly { name: string; label: string }[];
  ranges: Readonly<Record<string, YRange | null>>;
  onChange: (name: string, range: YRange | null) => void;
}

/** Sets the y-axis of a line: Min, Max; Cancel, Confirm, Reset. */
export function YRangeButton({ fields, ranges, onChange }: YRangeButtonProps) {
  const { t } = useTranslation(["sensor-log", "common"]);
  const [open, setOpen] = useState(false);
  return (
    <Popover.Root
      open={open}
      onOpenChange={({ open: opens }) => setOpen(opens)}
      positioning={{ placement: "bottom-end" }}
      lazyMount
      unmountOnExit
    >
      <Popover.Trigger asChild>
        <IconButton label={t("yRange.title")}>
          <SettingsIcon size={20} />
        </IconButton>
      </Popover.Trigger>
      <Portal>
        <Popover.Positioner>
          <Popover.Content className="y-range" aria-label={t("yRange.title")}>
            <YRangeForm fields={fields} ranges={ranges} onChange={onChange} onDone={() => setOpen(false)} />
          </Popover.Content>
        </Popover.Positioner>
      </Portal>
    </Popover.Root>
  );
}

function YRangeForm({ fields, ranges, onChange, onDone }: YRangeButtonProps & { onDone: () => void }) {
  const { t } = useTranslation(["sensor-log", "common"]);
  const [name, setName] = useState(fields[0]?.name ?? "");
  const [min, setMin] = useState(`${ranges[name]?.min ?? ""}`);
  const [max, setMax] = useState(`${ranges[name]?.max ?? ""}`);
  const [wrong, setWrong] = useState(false);
  const choose = (next: string) => {
    setName(next);
    setMin(`${ranges[next]?.min ?? ""}`);
    setMax(`${ranges[next]?.max ?? ""}`);
    setWrong(false);
  };
  const confirm = () => {
    const read = readYRange(min, max);
    if (read === "wrong") return setWrong(true);
    onChange(name, read);
    onDone();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        confirm();
      }}
    >
      <p className="y-range__title">{t("yRange.title")}</p>
      {fields.length > 1 && (
        <select aria-label={t("yRange.series")} value={name} onChange={(event) => choose(event.target.value)}>
          {fields.map((field) => (
            <option key={field.name} value={field.name}>
              {field.label}
            </option>
          ))}
        </select>
      )}
      <div className="y-range__ends">
        <label>
          Min
          <input inputMode="numeric" value={min} onChange={(event) => setMin(event.target.value)} />
        </label>
        <label>
          Max
          <input inputMode="numeric" value={max} onChange={(event) => setMax(event.target.value)} />
        </label>
      </div>
      {wrong && (
        <p className="y-range__wrong" role="alert">
          {t("yRange.wrong")}
        </p>
      )}
      <div className="y-range__actions">
        <Button size="sm" variant="ghost" onClick={onDone}>
          {t("common:action.cancel")}
        </Button>
        <Button
          size="sm"
          variant="outline"
          onClick={() => {
            onChange(name, null);
            onDone();
          }}
        >
          {t("yRange.reset")}
        </Button>
        <Button size="sm" type="submit">
          {t("confirm")}
        </Button>
      </div>
    </form>
  );
}
