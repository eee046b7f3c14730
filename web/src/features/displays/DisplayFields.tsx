import { Button, chakra, Flex, Grid, Stack, Text } from "@chakra-ui/react";
import {
  DISPLAY_PAGES,
  type DisplayPage,
  type DisplaySettings,
  MAX_DISPLAY_NAME,
} from "@mulkko/shared/rest/displays";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { CheckField, ChoiceSegments } from "../../components/choice.tsx";
import { NumberField, TextField, TimeField } from "../../components/field.tsx";
import { Form } from "../../components/form/form.tsx";
import { type FormControl, faultTexts, useForm } from "../../components/form/use-form.ts";
import { LANGUAGE_CHOICES } from "../../components/language-switch.tsx";
import { whenInfosChange } from "../../domain/farm/when-infos-change.ts";
import { byName } from "../../i18n/by-name.ts";
import { languageOf } from "../../i18n/language.ts";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";
import { type DisplayDraft, draftFaults, RANGES, settingsOf } from "./draft.ts";
import { FieldGroup, TileChoice } from "./TileChoice.tsx";

const FARMS = ["farm"] as const;
const farmsIn = whenInfosChange(({ farms }: LiveFarm) =>
  [...farms].map(([id, { info }]) => ({ id, name: info.name })).sort(byName),
);

interface DisplayFieldsProps {
  readonly form: FormControl<DisplayDraft>;
  /** True for an administrator, whose displays may show the devices of all accounts. */
  readonly mayFleet: boolean;
  /** True for a display of another account: its farms are unknown here and stay unchanged. */
  readonly foreign?: boolean;
}

/** A section that opens; its mark stands before its name. */
const MORE = {
  "& > summary": {
    display: "flex",
    alignItems: "center",
    minH: "12",
    fontWeight: "medium",
    cursor: "pointer",
    _before: { content: '"▸"', w: "1.25em" },
  },
  "&[open] > summary": { _before: { content: '"▾"' } },
};

interface DisplayFormProps extends DisplayFieldsProps {
  readonly submit: string;
  readonly onCancel: () => void;
  /** Shown before the fields. */
  readonly children?: ReactNode;
}

/** Form of a display's settings. */
export function DisplayForm({ submit, onCancel, children, ...fields }: DisplayFormProps) {
  const { t } = useTranslation("common");
  const { form } = fields;
  return (
    <Form
      form={form}
      gap="4"
      actions={
        <Flex wrap="wrap" gap="3" css={{ mdDown: { "& > button": { flex: "1 1 auto" } } }}>
          <Button type="submit" size="lg" loading={form.busy} loadingText={submit}>
            {submit}
          </Button>
          <Button type="button" size="lg" variant="outline" disabled={form.busy} onClick={onCancel}>
            {t("action.cancel")}
          </Button>
        </Flex>
      }
    >
      {children}
      <DisplayFields {...fields} />
    </Form>
  );
}

/** Fields of a display's settings: the common ones first, the others in a collapsed section. */
function DisplayFields({ form, mayFleet, foreign = false }: DisplayFieldsProps) {
  const { t } = useTranslation("displays");
  const { values, set, error } = form;
  const rare = ["turn", "diagonal", "distance", "nightFrom", "nightTo"] as const;
  return (
    <>
      <TextField
        {...form.field("name")}
        label={t("field.name")}
        required
        maxLength={MAX_DISPLAY_NAME}
        autoComplete="off"
      />
      {foreign ? (
        <Text color="fg.muted" fontSize="label" overflowWrap="anywhere">
          {t("field.foreign")}
        </Text>
      ) : (
        <FarmChoice form={form} />
      )}
      <PageChoice form={form} mayFleet={mayFleet} />
      {!foreign && values.pages.includes("overview") && <TileChoice form={form} />}
      <chakra.details css={MORE} open={rare.some((field) => error(field)) || undefined}>
        <summary>{t("field.more")}</summary>
        <Stack gap="4">
          <Grid templateColumns="repeat(auto-fit, minmax(min(100%, 9.5rem), 1fr))" gap="4">
            <NumberField {...form.field("diagonal")} label={t("field.diagonal")} />
            <NumberField {...form.field("distance")} label={t("field.distance")} />
            <NumberField {...form.field("turn")} label={t("field.turn")} whole />
          </Grid>
          <ChoiceSegments
            labelled
            label={t("field.language")}
            value={values.language}
            choices={LANGUAGE_CHOICES}
            onChoose={(value) => set("language", languageOf(value) ?? values.language)}
          />
          <ChoiceSegments
            labelled
            label={t("field.colorMode")}
            value={values.colorMode}
            choices={[
              { value: "dark", label: t("field.dark") },
              { value: "light", label: t("field.light") },
            ]}
            onChoose={(value) => set("colorMode", value)}
          />
          <CheckField
            label={t("field.night")}
            hint={t("field.nightHint")}
            name="night"
            checked={values.night}
            onChange={(checked) => set("night", checked)}
          />
          {values.night && (
            <Grid templateColumns="repeat(auto-fit, minmax(min(100%, 9.5rem), 1fr))" gap="4">
              <TimeField {...form.field("nightFrom")} label={t("field.nightFrom")} />
              <TimeField {...form.field("nightTo")} label={t("field.nightTo")} />
            </Grid>
          )}
          <CheckField
            label={t("field.sound")}
            hint={t("field.soundHint")}
            name="sound"
            checked={values.sound}
            onChange={(checked) => set("sound", checked)}
          />
          <CheckField
            label={t("field.ack")}
            hint={t("field.ackHint")}
            name="ack"
            checked={values.ack}
            onChange={(checked) => set("ack", checked)}
          />
        </Stack>
      </chakra.details>
    </>
  );
}

function FarmChoice({ form }: Pick<DisplayFieldsProps, "form">) {
  const { t } = useTranslation("displays");
  const farms = useLiveSelection(FARMS, farmsIn);
  const { values, set, error } = form;
  // A deleted farm is listed by its id until the user removes it.
  const gone = values.farms.filter((id) => !farms.some((farm) => farm.id === id));
  const all = [...farms, ...gone.map((id) => ({ id, name: t("row.farm", { id }) }))];
  if (all.length === 0) return null;
  const choose = (id: string, chosen: boolean) =>
    set("farms", chosen ? [...values.farms, id] : values.farms.filter((one) => one !== id));
  return (
    <FieldGroup legend={t("field.farms")} error={error("farms")}>
      <ChoiceSegments
        label={t("field.farms")}
        value={values.whose}
        choices={[
          { value: "all", label: t("field.allFarms") },
          { value: "some", label: t("field.someFarms") },
        ]}
        onChoose={(whose) => set("whose", whose)}
      />
      {values.whose === "some" && (
        <Grid templateColumns="repeat(auto-fill, minmax(min(100%, 9.5rem), 1fr))" rowGap="0" columnGap="4">
          {all.map(({ id, name }) => (
            <CheckField
              key={id}
              label={name}
              checked={values.farms.includes(id)}
              onChange={(checked) => choose(id, checked)}
            />
          ))}
        </Grid>
      )}
    </FieldGroup>
  );
}

function PageChoice({ form, mayFleet }: Pick<DisplayFieldsProps, "form" | "mayFleet">) {
  const { t } = useTranslation("displays");
  const { values, set, error } = form;
  const choose = (page: DisplayPage, chosen: boolean) =>
    set("pages", chosen ? [...values.pages, page] : values.pages.filter((one) => one !== page));
  return (
    <FieldGroup legend={t("field.pages")} error={error("pages")}>
      <Grid templateColumns="repeat(auto-fill, minmax(min(100%, 9.5rem), 1fr))" rowGap="0" columnGap="4">
        {DISPLAY_PAGES.filter((page) => mayFleet || page !== "fleet").map((page) => (
          <CheckField
            key={page}
            label={t(`page.${page}`)}
            checked={values.pages.includes(page)}
            onChange={(checked) => choose(page, checked)}
          />
        ))}
      </Grid>
    </FieldGroup>
  );
}

/** Form of a display's settings, for a new or an existing display. */
export function useDisplayForm(
  values: DisplayDraft,
  keep: (settings: DisplaySettings) => Promise<void>,
): FormControl<DisplayDraft> {
  const { t } = useTranslation("displays");
  const rangeOf = (field: string) => Object.entries(RANGES).find(([name]) => name === field)?.[1];
  return useForm<DisplayDraft>({
    values,
    rules: (values) =>
      faultTexts(draftFaults(values), (fault, field) => {
        const { from = 0, to = 0 } = rangeOf(field) ?? {};
        return t(`fault.${fault}`, { from, to });
      }),
    serverWords: (field) => (field === "farms" ? t("fault.goneFarm") : undefined),
    submit: (values) => keep(settingsOf(values)),
  });
}
