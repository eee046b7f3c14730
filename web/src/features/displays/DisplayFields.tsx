import { Button, chakra, Flex, Grid, Stack, Text } from "@chakra-ui/react";
import {
  DISPLAY_PAGES,
  type DisplayPage,
  type DisplaySettings,
  MAX_DISPLAY_NAME,
  MAX_DISPLAY_TILES,
} from "@mulkko/shared/rest/displays";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { ChevronDownIcon, XIcon } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { CheckField, ChoiceSegments } from "../../components/choice.tsx";
import { FieldFrame, NumberField, TextField, TimeField } from "../../components/field.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { LANGUAGE_CHOICES } from "../../components/language-switch.tsx";
import { SearchSelect } from "../../components/search-select.tsx";
import { useFarmsByName } from "../../domain/farm/farms-by-name.ts";
import { useInfos } from "../../domain/farm/when-infos-change.ts";
import { Form } from "../../domain/form/form.tsx";
import { FormCheck } from "../../domain/form/form-check.tsx";
import { type FormControl, faultTexts, useForm } from "../../domain/form/use-form.ts";
import { byName } from "../../i18n/by-name.ts";
import { languageOf } from "../../i18n/language.ts";
import { searchFor } from "../../i18n/search.ts";
import type { LiveFarm } from "../../live/hooks.ts";
import { type DisplayDraft, draftFaults, moved, RANGES, settingsOf } from "./draft.ts";

const KINDS = ["farm", "sensor"] as const;

/** Sensors with readings, by name, with their farms. Valves are placed automatically. */
const sensorsIn = ({ sensors, farms }: LiveFarm) =>
  [...sensors]
    .filter(([, { info }]) => info.deviceType !== "COT")
    .map(([id, { info }]) => ({
      id,
      name: deviceName(info),
      farms: [...farms].flatMap(([farm, value]) =>
        value.info.sensorIds.map(String).includes(id) ? [farm] : [],
      ),
    }))
    .sort(byName);

/** Look of a text that explains something. */
export const NOTE = { color: "fg.muted", fontSize: "label", overflowWrap: "anywhere" } as const;

interface FieldGroupProps {
  legend: string;
  error: ReactNode;
  children: ReactNode;
}

/** Controls of one question, with its error. */
function FieldGroup({ legend, error, children }: FieldGroupProps) {
  return (
    <FieldFrame error={error}>
      <chakra.fieldset
        display="grid"
        w="full"
        gap="3"
        minW="0"
        css={{
          "& legend": { mb: "2", fontSize: "label", fontWeight: "medium" },
          "& > [role=radiogroup]": { justifySelf: "start" },
        }}
      >
        <legend>{legend}</legend>
        {children}
      </chakra.fieldset>
    </FieldFrame>
  );
}

/** Choose between an automatic overview and a fixed order of selected sensors. */
function TileChoice({ form }: { form: FormControl<DisplayDraft> }) {
  const { t } = useTranslation("displays");
  const { values, set, error } = form;
  const { overview, tiles } = values;
  return (
    <FieldGroup
      legend={t("field.tiles")}
      error={overview === "arranged" && tiles.length === 0 && error("tiles")}
    >
      <ChoiceSegments
        label={t("field.tiles")}
        value={overview}
        choices={[
          { value: "filled", label: t("field.tilesFilled") },
          { value: "arranged", label: t("field.tilesArranged") },
        ]}
        onChoose={(value) => set("overview", value)}
      />
      <Text {...NOTE}>{t(overview === "filled" ? "field.filledHint" : "field.arrangedHint")}</Text>
      {overview === "arranged" && <Arranged form={form} />}
    </FieldGroup>
  );
}

function Arranged({ form: { values, set } }: { form: FormControl<DisplayDraft> }) {
  const { t } = useTranslation("displays");
  const sensors = useInfos(KINDS, sensorsIn);
  const [text, setText] = useState("");
  const { tiles, whose, farms } = values;
  const options = useMemo(() => {
    const search = searchFor(text);
    return sensors
      .filter(({ id }) => !tiles.includes(id))
      .filter((sensor) => whose === "all" || sensor.farms.some((farm) => farms.includes(farm)))
      .filter(({ name }) => search(name))
      .map(({ id, name }) => ({ value: id, label: name }));
  }, [sensors, tiles, whose, farms, text]);
  const nameOf = (id: string): string => sensors.find((sensor) => sensor.id === id)?.name ?? id;
  return (
    <>
      {tiles.length > 0 && (
        <Stack
          as="ol"
          gap="0"
          css={{
            "& > li": { display: "flex", alignItems: "center", gap: "1", borderBottomWidth: "1px" },
            "& > li > span": { flex: "1", minW: "0", overflowWrap: "anywhere" },
          }}
        >
          {tiles.map((id, index) => {
            const name = nameOf(id);
            return (
              <li key={id}>
                <span>{name}</span>
                <IconButton
                  label={t("field.earlier", { name })}
                  disabled={index === 0}
                  onClick={() => set("tiles", moved(tiles, index, -1))}
                >
                  <chakra.span rotate="180deg">
                    <ChevronDownIcon />
                  </chakra.span>
                </IconButton>
                <IconButton
                  label={t("field.later", { name })}
                  disabled={index === tiles.length - 1}
                  onClick={() => set("tiles", moved(tiles, index, 1))}
                >
                  <ChevronDownIcon />
                </IconButton>
                <IconButton
                  label={t("field.takeOut", { name })}
                  onClick={() =>
                    set(
                      "tiles",
                      tiles.filter((one) => one !== id),
                    )
                  }
                >
                  <XIcon />
                </IconButton>
              </li>
            );
          })}
        </Stack>
      )}
      {tiles.length < MAX_DISPLAY_TILES && (
        <SearchSelect
          label={t("field.addTile")}
          text={text}
          onText={setText}
          options={options}
          onPick={(id) => {
            set("tiles", [...tiles, id]);
            setText("");
          }}
        />
      )}
    </>
  );
}

/** Collapsible section with its marker before its name. */
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

interface DisplayFormProps {
  readonly values: DisplayDraft;
  readonly keep: (settings: DisplaySettings) => Promise<void>;
  /** True for an administrator, whose displays may show the devices of all accounts. */
  readonly mayFleet: boolean;
  /** True for a display of another account: its farms are unknown here and stay unchanged. */
  readonly foreign?: boolean;
  readonly submit: string;
  readonly onCancel: () => void;
  /** Shown before the fields. */
  readonly children?: ReactNode;
}

/**
 * Form of a display's settings, for a new or an existing display: the common fields first, the others in a
 * collapsed section.
 */
export function DisplayForm(props: DisplayFormProps) {
  const { keep, mayFleet, foreign = false, submit, onCancel, children } = props;
  const { t } = useTranslation(["displays", "common"]);
  const ranges: Readonly<Record<string, { from: number; to: number }>> = RANGES;
  const form = useForm<DisplayDraft>({
    values: props.values,
    rules: (values) =>
      faultTexts(draftFaults(values), (fault, field) => {
        const { from = 0, to = 0 } = ranges[field] ?? {};
        return t(`fault.${fault}`, { from, to });
      }),
    serverTexts: (field) => (field === "farms" ? t("fault.goneFarm") : undefined),
    submit: (values) => keep(settingsOf(values)),
  });
  const { values, set, error } = form;
  const rare = ["turn", "diagonal", "distance", "nightFrom", "nightTo"] as const;
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
            {t("common:action.cancel")}
          </Button>
        </Flex>
      }
    >
      {children}
      <TextField
        {...form.field("name")}
        label={t("field.name")}
        required
        maxLength={MAX_DISPLAY_NAME}
        autoComplete="off"
      />
      {foreign ? <Text {...NOTE}>{t("field.foreign")}</Text> : <FarmChoice form={form} />}
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
          <FormCheck {...form.field("night")} label={t("field.night")} hint={t("field.nightHint")} />
          {values.night && (
            <Grid templateColumns="repeat(auto-fit, minmax(min(100%, 9.5rem), 1fr))" gap="4">
              <TimeField {...form.field("nightFrom")} label={t("field.nightFrom")} />
              <TimeField {...form.field("nightTo")} label={t("field.nightTo")} />
            </Grid>
          )}
          <FormCheck {...form.field("sound")} label={t("field.sound")} hint={t("field.soundHint")} />
          <FormCheck {...form.field("ack")} label={t("field.ack")} hint={t("field.ackHint")} />
        </Stack>
      </chakra.details>
    </Form>
  );
}

function FarmChoice({ form }: { form: FormControl<DisplayDraft> }) {
  const { t } = useTranslation("displays");
  const farms = useFarmsByName();
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

function PageChoice({ form, mayFleet }: { form: FormControl<DisplayDraft>; mayFleet: boolean }) {
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
