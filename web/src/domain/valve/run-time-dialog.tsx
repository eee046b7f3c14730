import { Button, Dialog, Portal } from "@chakra-ui/react";
import { MinusIcon, PlusIcon } from "lucide-react";
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { RUN_TIME_PRESETS, readMinutes, runTimeFault } from "./run-time.ts";
import "./run-time-dialog.css";

export interface RunTimeDialogProps {
  open: boolean;
  /** Name of the watered object. */
  name: string;
  defaultMinutes: number;
  maxMinutes: number;
  /** Return the local clock time at which a run of that many minutes would end, as text. */
  untilOf: (minutes: number) => string;
  onConfirm: (minutes: number) => void;
  onClose: () => void;
  /** Warning before opening, e.g. that the controller is late. */
  warning?: ReactNode;
}

/**
 * Return the initial focus: the preset in use, which opens no keyboard on a phone. The dialog asks a few
 * frames after it is rendered. A focus already inside stays, so that Enter acts on what the user sees.
 */
function firstFocus(body: HTMLElement | null): HTMLElement | null {
  const active = document.activeElement;
  if (body !== null && active instanceof HTMLElement && body.contains(active)) return active;
  return body?.querySelector<HTMLElement>("[aria-pressed=true]") ?? body?.querySelector("input") ?? null;
}

/** Ask for the run time of an opening: every opening has an end, shown before the press. */
export function RunTimeDialog(props: RunTimeDialogProps) {
  const { open, name, defaultMinutes, maxMinutes, untilOf, onConfirm, onClose, warning } = props;
  const { t } = useTranslation("common");
  const [text, setText] = useState(String(defaultMinutes));
  const field = useId();
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (open) setText(String(defaultMinutes));
  }, [open, defaultMinutes]);

  const minutes = readMinutes(text);
  const fault = runTimeFault(minutes, maxMinutes);
  const presets = RUN_TIME_PRESETS.filter((preset) => preset <= maxMinutes);
  const step = (by: number) => {
    const base = Number.isNaN(minutes) ? defaultMinutes : minutes;
    setText(String(Math.min(maxMinutes, Math.max(1, base + by))));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (fault === null) onConfirm(minutes);
  };

  return (
    <Dialog.Root
      open={open}
      onOpenChange={({ open: stays }) => !stays && onClose()}
      placement="center"
      size="xs"
      motionPreset="slide-in-bottom"
      initialFocusEl={() => firstFocus(body.current)}
      lazyMount
      unmountOnExit
    >
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content>
            <form className="run-time__form" onSubmit={submit} noValidate>
              <Dialog.Header pb="2">
                <Dialog.Title>{t("runTime.title", { name })}</Dialog.Title>
              </Dialog.Header>
              <Dialog.Body ref={body} className="run-time">
                {warning && <p className="run-time__warning">{warning}</p>}
                <label className="run-time__label" htmlFor={field}>
                  {t("runTime.minutes")}
                </label>
                <div className="run-time__stepper">
                  <button type="button" aria-label={t("runTime.less")} onClick={() => step(-1)}>
                    <MinusIcon size={20} />
                  </button>
                  <span className="run-time__value">
                    <input
                      id={field}
                      inputMode="numeric"
                      autoComplete="off"
                      maxLength={4}
                      value={text}
                      aria-invalid={fault !== null}
                      aria-describedby={`${field}-until`}
                      onChange={(event) => setText(event.target.value)}
                      onFocus={(event) => event.target.select()}
                    />
                    <span aria-hidden>{t("runTime.unit")}</span>
                  </span>
                  <button type="button" aria-label={t("runTime.more")} onClick={() => step(1)}>
                    <PlusIcon size={20} />
                  </button>
                </div>
                <div className="run-time__presets">
                  {presets.map((preset) => (
                    <button
                      key={preset}
                      type="button"
                      aria-pressed={preset === minutes}
                      onClick={() => setText(String(preset))}
                    >
                      {t("duration.minutes", { count: preset })}
                    </button>
                  ))}
                </div>
                <p
                  className="run-time__until"
                  id={`${field}-until`}
                  data-fault={fault ?? undefined}
                  aria-live="polite"
                >
                  {fault === null
                    ? t("runTime.until", { time: untilOf(minutes) })
                    : t(`runTime.${fault}`, { max: maxMinutes })}
                </p>
              </Dialog.Body>
              <Dialog.Footer className="run-time__actions">
                <Button type="button" variant="outline" onClick={onClose}>
                  {t("action.cancel")}
                </Button>
                <Button type="submit" disabled={fault !== null}>
                  {fault === null ? t("runTime.open", { count: minutes }) : t("command.target.open")}
                </Button>
              </Dialog.Footer>
            </form>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  );
}
