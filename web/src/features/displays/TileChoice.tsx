import { chakra, Stack, Text } from "@chakra-ui/react";
import { MAX_DISPLAY_TILES } from "@mulkko/shared/rest/displays";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { ChevronDownIcon, XIcon } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { ChoiceSegments } from "../../components/choice.tsx";
import { FieldFrame } from "../../components/field.tsx";
import type { FormControl } from "../../components/form/use-form.ts";
import { IconButton } from "../../components/icon-button.tsx";
import { SearchSelect } from "../../components/search-select.tsx";
import { whenInfosChange } from "../../domain/farm/when-infos-change.ts";
import { byName, searchFor } from "../../i18n/by-name.ts";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";
import { type DisplayDraft, moved } from "./draft.ts";

const KINDS = ["farm", "sensor"] as const;

/** Sensors with readings, by name, with their farms. Valves are placed automatically. */
const sensorsIn = whenInfosChange(({ sensors, farms }: LiveFarm) =>
  [...sensors]
    .filter(([, { info }]) => info.deviceType !== "COT")
    .map(([id, { info }]) => ({
      id,
      name: deviceName(info),
      farms: [...farms].flatMap(([farm, value]) =>
        value.info.sensorIds.map(String).includes(id) ? [farm] : [],
      ),
    }))
    .sort(byName),
);

interface FieldGroupProps {
  legend: string;
  error: ReactNode;
  children: ReactNode;
}

/** Controls of one question, with its error. */
export function FieldGroup({ legend, error, children }: FieldGroupProps) {
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
export function TileChoice({ form }: { form: FormControl<DisplayDraft> }) {
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
      <Text color="fg.muted" fontSize="label" overflowWrap="anywhere">
        {t(overview === "filled" ? "field.filledHint" : "field.arrangedHint")}
      </Text>
      {overview === "arranged" && <Arranged form={form} />}
    </FieldGroup>
  );
}

function Arranged({ form: { values, set } }: { form: FormControl<DisplayDraft> }) {
  const { t } = useTranslation("displays");
  const sensors = useLiveSelection(KINDS, sensorsIn);
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
