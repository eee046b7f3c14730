import { Box, Button, Flex, Grid, Input, Stack, Text } from "@chakra-ui/react";
import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Modal } from "../../../components/dialog.tsx";
import type { YRange } from "../../chart/chart-model.ts";
import { readSharedYRange, readYRange } from "./y-range.ts";

export interface YRangeProps {
  /** Name of the line or title of the chart, with its unit. */
  label: string;
  range: YRange | null;
  onChange: (range: YRange | null) => void;
  onClose: () => void;
}

/**
 * The typed ends of a range and their submission.
 *
 * @param empty text of an end that is not set
 */
function useEnds({ range, onChange, onClose }: YRangeProps, empty: string, read: typeof readYRange) {
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
  return { ends, setEnds, wrong, done, submit };
}

/** Form for the y range of one line: Min, Max; Cancel, Confirm, Reset. */
export function YRangeForm(props: YRangeProps) {
  const { t } = useTranslation(["log", "common"]);
  const form = useEnds(props, "", readYRange);
  return (
    <Stack as="form" gap="3" minWidth="min(18rem, 100%)" onSubmit={form.submit}>
      <Text textStyle="md" fontWeight="semibold">
        {t("yRange.of", { name: props.label })}
      </Text>
      <Ends {...form} />
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
export function YRangeDialog(props: YRangeProps) {
  const { t } = useTranslation(["log", "common"]);
  const form = useEnds(props, "0", readSharedYRange);
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
        <Ends {...form} />
      </Stack>
    </Modal>
  );
}

/** The two fields and their error. */
function Ends({ ends, setEnds, wrong }: Pick<ReturnType<typeof useEnds>, "ends" | "setEnds" | "wrong">) {
  const { t } = useTranslation(["log", "common"]);
  const note = useId();
  return (
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
              {...(wrong && { "aria-invalid": true, "aria-describedby": note })}
            />
          </Box>
        ))}
      </Grid>
      {wrong && (
        <Text role="alert" id={note} color="fg.error">
          {t("yRange.wrong")}
        </Text>
      )}
    </>
  );
}
