import { Button, chakra, Flex, Heading } from "@chakra-ui/react";
import { useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "../../i18n/use-translation.ts";
import type { YRange } from "../../ui/chart/chart-model.ts";
import { YRangeEnds } from "./YRangeForm.tsx";
import { readSharedYRange } from "./y-range.ts";

export interface YRangeDialogProps {
  /** Title of the chart with its unit. */
  label: string;
  range: YRange | null;
  onChange: (range: YRange | null) => void;
  onClose: () => void;
}

/** Dialog for the y axis of a comparison: Min, Max (0 if not set); Cancel, Apply. */
export function YRangeDialog({ label, range, onChange, onClose }: YRangeDialogProps) {
  const { t } = useTranslation(["log", "common"]);
  const dialog = useRef<HTMLDialogElement>(null);
  const [min, setMin] = useState(`${range?.min ?? 0}`);
  const [max, setMax] = useState(`${range?.max ?? 0}`);
  const [wrong, setWrong] = useState(false);
  const titleId = useId();
  const wrongId = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    // A click outside of the content hits the dialog's own backdrop; the keyboard has Escape.
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a modal dialog by itself
    <dialog
      ref={dialog}
      className="y-dialog"
      aria-labelledby={titleId}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
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
          const read = readSharedYRange(min, max);
          if (read === "wrong") return setWrong(true);
          onChange(read);
          onClose();
        }}
      >
        <Heading fontSize="md" fontWeight="semibold" lineHeight="inherit" id={titleId}>
          {t("yRange.change")}
        </Heading>
        <p>{label}</p>
        <YRangeEnds min={min} max={max} onMin={setMin} onMax={setMax} {...(wrong && { wrongId })} />
        <Flex wrap="wrap" justify="flex-end" gap="2">
          <Button size="sm" variant="ghost" onClick={onClose}>
            {t("common:action.cancel")}
          </Button>
          <Button size="sm" type="submit">
            {t("yRange.apply")}
          </Button>
        </Flex>
      </chakra.form>
    </dialog>
  );
}
