import { Button, chakra, Flex, Grid, Text } from "@chakra-ui/react";
import { measuresMoisture } from "@mulkko/shared/catalogue/controller-types";
import { modesOn } from "@mulkko/shared/entities/modes";
import { useTranslation } from "react-i18next";
import { useReadOnly } from "../../../api/hooks.ts";
import { ErrorNote } from "../../../components/alerts.tsx";
import { CheckField } from "../../../components/choice.tsx";
import { NumberField, TimeField } from "../../../components/field.tsx";
import { FormCheck } from "../../../domain/form/form-check.tsx";
import { FormNotes } from "../../../domain/form/form-notes.tsx";
import type { FormControl } from "../../../domain/form/use-form.ts";
import { useTimeTexts } from "../../../domain/time/use-time-texts.ts";
import { RememberedNote } from "../../../domain/valve/remembered-note.tsx";
import { type OnUnsaved, useReportUnsaved } from "../../../domain/valve/unsaved-forms.ts";
import { useOutbox, useShownOnPage, useStoredOff } from "../../../domain/valve/use-outbox.ts";
import { useIsLive } from "../../../live/hooks.ts";
import { ModeDialog } from "./ModeDialog.tsx";
import { FIELDS_OF, type ModeField, type ModeValues, warningOf } from "./mode-model.ts";
import { type ModeFormOptions, useModeForm } from "./use-mode-form.ts";

export interface ModeFormProps extends ModeFormOptions {
  readonly onUnsaved: OnUnsaved;
  /** Called when a change of the mode begins or ends to be without an answer. */
  readonly onUnsure: OnUnsaved;
}

/** A change that may have been made is dashed, as every state that is not known. */
const UNSURE = {
  py: "2.5",
  px: "4",
  borderWidth: "1px",
  borderStyle: "dashed",
  rounded: "card",
  color: "fg",
};

type Pending = NonNullable<ReturnType<typeof useModeForm>["pending"]>;

function pendingText({
  kind,
  overdue,
  unsure,
}: Pending): Pending["kind"] | "overdue" | "unsure" | "unsureLong" {
  if (unsure) return overdue ? "unsureLong" : "unsure";
  return overdue ? "overdue" : kind;
}

const MUTED = { color: "fg.muted", fontSize: "label" } as const;

/** Form of one mode with its actions: save, activate, deactivate, clear. */
export function ModeForm({ onUnsaved, onUnsure, ...options }: ModeFormProps) {
  const { mode, channel } = options;
  const { t } = useTranslation(["controller", "common"]);
  const live = useIsLive();
  const readOnly = useReadOnly();
  const control = useModeForm(options);
  const { form, kind, pending, question, failure } = control;
  useReportUnsaved(onUnsaved, mode, form.changed);

  const outbox = useOutbox();
  const waiting = useStoredOff(channel.id, mode);
  useReportUnsaved(onUnsure, mode, waiting !== null || pending?.unsure === true);
  useShownOnPage(waiting ? [waiting.id] : []);
  const inCharge = modesOn(channel.value.modes)?.includes(mode) ?? false;
  const busy = form.busy || control.busy;
  const blocked = !live || readOnly || kind === null || busy;
  // Switching off opens nothing: it is stored until there is a line (CMD-8).
  const offBlocked = readOnly || kind === null || busy;
  // A reported moisture is a measurement, whatever the controller type.
  const measured = channel.value.moisture !== null || measuresMoisture(options.unit.type);
  const warning = warningOf(mode, form.values, measured);
  return (
    <chakra.form
      ref={form.element}
      display="grid"
      gap="3.5"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!blocked) control.save();
      }}
    >
      <Grid
        templateColumns="repeat(auto-fit, minmax(min(100%, 11rem), 1fr))"
        rowGap="3.5"
        columnGap="4"
        alignItems="start"
      >
        {FIELDS_OF[mode].map((field) => (
          <Field key={field} {...{ field, mode, form }} />
        ))}
      </Grid>
      {warning && (
        <Text color="fg" fontSize="label" ps="3" borderStartWidth="3px" borderStartColor="border.strong">
          {t(`mode.warning.${warning}`)}
        </Text>
      )}
      {kind === "apart" && (
        <CheckField
          look="switch"
          label={t("mode.use")}
          hint={t("mode.useHint")}
          checked={inCharge}
          disabled={inCharge ? offBlocked : blocked}
          onChange={(on) => (on ? control.turnOn() : control.turnOff())}
        />
      )}
      {kind !== "apart" && kind !== null && (
        <Text {...MUTED}>{t(kind === "together" ? "mode.together" : "mode.oneByOne")}</Text>
      )}
      <FormNotes form={form} />
      {waiting && <RememberedNote entry={waiting} onTakeBack={() => outbox.takeBack(waiting.id)} />}
      {failure !== null && question === null && <ErrorNote>{`${t("mode.failed")} ${failure}`}</ErrorNote>}
      {control.savedOff && (
        <Flex as="p" wrap="wrap" align="center" rowGap="2" columnGap="3" fontWeight="medium" role="status">
          {t("mode.savedOff")}
          <Button type="button" size="sm" disabled={blocked} onClick={control.turnOn}>
            {t("mode.ask.confirm.on")}
          </Button>
        </Flex>
      )}
      <Text
        {...MUTED}
        fontWeight="medium"
        _empty={{ display: "none" }}
        role="status"
        css={{ "&[data-unsure]": UNSURE }}
        data-unsure={pending?.unsure || undefined}
      >
        {pending && t(`mode.pending.${pendingText(pending)}`)}
      </Text>
      <Flex
        wrap="wrap"
        justify="flex-end"
        gap="3"
        css={{ mdDown: { "& > *": { flex: "1" } } }}
        data-testid="mode-actions"
      >
        <Button type="button" variant="outline" disabled={blocked} onClick={control.reset}>
          {t("mode.reset")}
        </Button>
        {kind !== "apart" && inCharge && (
          <Button type="button" variant="outline" disabled={offBlocked} onClick={control.turnOff}>
            {t("mode.off")}
          </Button>
        )}
        <Button type="submit" disabled={blocked} loading={form.busy}>
          {t(kind === "apart" || kind === null ? "common:action.save" : "mode.saveOn")}
        </Button>
      </Flex>
      {(readOnly || !live) && <Text {...MUTED}>{t(readOnly ? "why.read-only" : "why.not-live")}</Text>}
      <ModeDialog
        question={question}
        busy={control.busy}
        error={failure}
        onConfirm={control.answer}
        onClose={control.dismiss}
      />
    </chakra.form>
  );
}

interface FieldProps extends Pick<ModeFormProps, "mode"> {
  field: ModeField;
  form: FormControl<ModeValues>;
}

function Field({ field, mode, form }: FieldProps) {
  const { t } = useTranslation("controller");
  const { zoneName } = useTimeTexts();
  if (field === "repeat") {
    return (
      <FormCheck
        {...form.field("repeat")}
        label={t(mode === "period" ? "mode.field.repeatPeriod" : "mode.field.repeatDaily")}
        hint={t("mode.hint.repeat")}
      />
    );
  }
  if (field === "time") {
    return (
      <TimeField
        {...form.field("time")}
        label={t("mode.field.time")}
        hint={t("mode.hint.time", { zone: zoneName })}
      />
    );
  }
  return (
    <NumberField
      {...form.field(field)}
      label={t(`mode.field.${field}`)}
      hint={t(`mode.hint.${field}`)}
      whole={field === "minutes" || field === "interval"}
      required={field === "minutes"}
    />
  );
}
