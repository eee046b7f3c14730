import { Button, Flex, Grid } from "@chakra-ui/react";
import { CalendarIcon, ChevronDownIcon } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNewestParams } from "../../../components/address.ts";
import { ONE_OF_SEVERAL } from "../../../components/chip.tsx";
import { Calendar, loadCalendar } from "../../../components/date-field.tsx";
import { Popup } from "../../../components/popover.tsx";
import { useServerNow } from "../../../live/hooks.ts";
import { useSurface } from "../../../theme/use-surface.ts";
import { useTimeTexts } from "../../time/use-time-texts.ts";
import { ALL_SINCE, PRESETS, type RangeChoice, readChoice, writeChoice } from "./range.ts";

interface RangePickerProps {
  choice: RangeChoice;
  onChoose: (choice: RangeChoice) => void;
}

/** Keep the range in the address, so that reload and links restore it. */
export function useAddressChoice() {
  const { params, change } = useNewestParams();
  const search = params.toString();
  const choice = useMemo(() => readChoice(new URLSearchParams(search)), [search]);
  const choose = (next: RangeChoice) => change((before) => writeChoice(before, next), { replace: true });
  return { choice, onChoose: choose };
}

/** Presets in one row and a custom range; on a phone all of them are behind one button. */
export function RangePicker({ choice, onChoose }: RangePickerProps) {
  const { t } = useTranslation("log");
  const phone = useSurface() === "phone";
  const texts = useTimeTexts();
  const now = useServerNow();
  const [open, setOpen] = useState(false);
  const chosen = choice.kind === "custom" ? `${choice.start} – ${choice.end}` : t(`range.${choice.preset}`);
  const choose = (next: RangeChoice) => {
    onChoose(next);
    setOpen(false);
  };
  const presets = PRESETS.map((preset) => (
    <Button
      key={preset}
      {...ONE_OF_SEVERAL}
      px={{ base: "1", md: "3.5" }}
      aria-pressed={choice.kind === "preset" && choice.preset === preset}
      onClick={() => choose({ kind: "preset", preset })}
    >
      {t(`range.${preset}`)}
    </Button>
  ));
  const trigger = (
    <Button
      {...ONE_OF_SEVERAL}
      w={{ mdDown: "full" }}
      aria-label={phone ? `${t("range.label")} ${chosen}` : undefined}
      data-chosen={choice.kind === "custom" || undefined}
      onPointerEnter={loadCalendar}
      onFocus={loadCalendar}
    >
      <CalendarIcon />
      {phone || choice.kind === "custom" ? chosen : t("range.custom")}
      {phone && <ChevronDownIcon />}
    </Button>
  );
  return (
    <Flex wrap="wrap" gap="1.5" flex={{ mdDown: "1" }} role="toolbar" aria-label={t("range.label")}>
      {!phone && presets}
      <Popup
        label={phone ? t("range.label") : t("range.custom")}
        open={open}
        onOpenChange={setOpen}
        trigger={trigger}
      >
        {phone && (
          <Grid templateColumns="repeat(auto-fit, minmax(4.5rem, 1fr))" gap="1.5" mb="3">
            {presets}
          </Grid>
        )}
        <Calendar
          start={choice.kind === "custom" ? choice.start : null}
          end={choice.kind === "custom" ? choice.end : null}
          today={texts.isoDay(now())}
          zone={texts.zone}
          earliest={ALL_SINCE}
          onPick={(start, end) => choose({ kind: "custom", start, end })}
        />
      </Popup>
    </Flex>
  );
}
