import { Button, chakra, Flex, Grid, IconButton, Text } from "@chakra-ui/react";
import { MinusIcon, PlusIcon } from "lucide-react";
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ONE_OF_SEVERAL } from "../../components/chip.tsx";
import { Modal } from "../../components/dialog.tsx";
import { useLabels } from "../../i18n/labels.ts";

/** Preset run times, minutes. */
export const RUN_TIME_PRESETS = [1, 5, 10, 15, 30] as const;

/** Why a run time is invalid. */
type RunTimeFault = "tooShort" | "tooLong";

/** Parse typed whole minutes; anything else is NaN. */
export function readMinutes(text: string): number {
  return /^\d{1,4}$/.test(text.trim()) ? Number(text) : Number.NaN;
}

/** Check whole minutes against the controller's limit (RUN-1). */
export function runTimeFault(minutes: number, maxMinutes: number): RunTimeFault | null {
  if (!Number.isInteger(minutes) || minutes < 1) return "tooShort";
  return minutes > maxMinutes ? "tooLong" : null;
}

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
function firstFocus(form: HTMLElement | null): HTMLElement | null {
  const active = document.activeElement;
  if (form !== null && active instanceof HTMLElement && form.contains(active)) return active;
  return form?.querySelector<HTMLElement>("[aria-pressed=true]") ?? form?.querySelector("input") ?? null;
}

/** Look of the two buttons beside the minutes. */
const STEP = {
  variant: "ghost",
  h: "16",
  w: "full",
  borderWidth: "0",
  borderColor: "border",
  rounded: "none",
} as const;

/** Ask for the run time of an opening: every opening has an end, shown before the press. */
export function RunTimeDialog(props: RunTimeDialogProps) {
  const { open, name, defaultMinutes, maxMinutes, untilOf, onConfirm, onClose, warning } = props;
  const { t } = useTranslation("common");
  const labels = useLabels();
  const [text, setText] = useState(String(defaultMinutes));
  const field = useId();
  const form = useRef<HTMLFormElement>(null);
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
    <Modal
      open={open}
      title={t("runTime.title", { name })}
      initialFocus={() => firstFocus(form.current)}
      onClose={onClose}
      actions={
        <>
          <Button flex="1" variant="outline" onClick={onClose}>
            {t("action.cancel")}
          </Button>
          <Button flex="1.6" type="submit" form={`${field}-form`} disabled={fault !== null}>
            {fault === null ? t("runTime.open", { count: minutes }) : t("command.target.open")}
          </Button>
        </>
      }
    >
      <chakra.form
        ref={form}
        id={`${field}-form`}
        display="grid"
        gap="3"
        minW="0"
        onSubmit={submit}
        noValidate
      >
        {warning && (
          <Text
            px="3"
            py="2.5"
            borderInlineStartWidth="3px"
            borderColor="border.strong"
            bg="bg.sunk"
            fontSize="label"
          >
            {warning}
          </Text>
        )}
        <chakra.label color="fg.muted" fontSize="label" htmlFor={field}>
          {t("runTime.minutes")}
        </chakra.label>
        <Grid
          templateColumns="3.5rem 1fr 3.5rem"
          borderWidth="1px"
          borderColor="border.strong"
          rounded="card"
          css={{
            "&:has(input:focus-visible)": { outline: "2px solid {colors.fg}", outlineOffset: "2px" },
          }}
        >
          <IconButton
            {...STEP}
            borderInlineEndWidth="1px"
            aria-label={t("runTime.less")}
            onClick={() => step(-1)}
          >
            <MinusIcon />
          </IconButton>
          <Flex as="span" align="baseline" justify="center" gap="0.35rem" alignSelf="center" color="fg.muted">
            <chakra.input
              w="2.4ch"
              minW="2.4ch"
              bg="none"
              color="fg"
              textStyle="reading"
              textAlign="end"
              _focus={{ outline: "none" }}
              css={{ fieldSizing: "content" }}
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
          </Flex>
          <IconButton
            {...STEP}
            borderInlineStartWidth="1px"
            aria-label={t("runTime.more")}
            onClick={() => step(1)}
          >
            <PlusIcon />
          </IconButton>
        </Grid>
        <Flex wrap="wrap" gap="2">
          {presets.map((preset) => (
            <Button
              key={preset}
              {...ONE_OF_SEVERAL}
              flex="1"
              h="12"
              minW="3.25rem"
              px="1.5"
              borderColor="border"
              textStyle="body"
              fontWeight="medium"
              aria-pressed={preset === minutes}
              onClick={() => setText(String(preset))}
            >
              {labels.duration(preset * 60_000)}
            </Button>
          ))}
        </Flex>
        <Text
          minH="1.6em"
          fontWeight="semibold"
          css={{ "&[data-fault]": { color: "alarm.p1.fg" } }}
          id={`${field}-until`}
          data-fault={fault ?? undefined}
          aria-live="polite"
        >
          {fault === null
            ? t("runTime.until", { time: untilOf(minutes) })
            : t(`runTime.${fault}`, { max: maxMinutes })}
        </Text>
      </chakra.form>
    </Modal>
  );
}
