import { Button, chakra, Flex, Grid } from "@chakra-ui/react";
import { useTranslation } from "react-i18next";
import { ErrorNote } from "../../components/alerts.tsx";
import type { FormControl } from "./use-form.ts";

export type Noted = Pick<
  FormControl<object>,
  "failure" | "unsure" | "elsewhere" | "takeOver" | "keepMine" | "values"
>;

/** Labels of a form's fields. */
export type FieldLabels = Readonly<Record<string, string>>;

const NOTHING = "--";

const UNSURE = { py: "2.5", px: "4", borderWidth: "1px", borderStyle: "dashed", rounded: "card" };

const VERSIONS = {
  "& > div": { display: "flex", flexWrap: "wrap", columnGap: "4", overflowWrap: "anywhere" },
  "& dt": { flex: "1 0 100%", color: "fg.muted", fontSize: "label" },
};

/** Show notes about a whole form: the save failure and conflicting changes of another user. */
export function FormNotes({ form, labels = {} }: { form: Noted; labels?: FieldLabels | undefined }) {
  const { t } = useTranslation("common");
  const shown = (value: unknown): string => {
    if (typeof value === "boolean") return t(value ? "form.elsewhere.yes" : "form.elsewhere.no");
    return value === "" || value === null || value === undefined ? NOTHING : `${value}`;
  };
  const theirs = new Map(Object.entries(form.elsewhere ?? {}));
  const differing = Object.entries(form.values).filter(
    ([field, mine]) => labels[field] !== undefined && theirs.has(field) && theirs.get(field) !== mine,
  );
  return (
    <>
      {form.elsewhere !== null && (
        <Grid
          gap="2.5"
          py="3"
          px="4"
          borderWidth="1px"
          borderStartWidth="4px"
          borderColor="border.strong"
          rounded="card"
          bg="bg.sunk"
          role="status"
        >
          <p>{t("form.elsewhere.text")}</p>
          {differing.length > 0 && (
            <chakra.dl display="grid" gap="1.5" css={VERSIONS}>
              {differing.map(([field, mine]) => (
                <div key={field}>
                  <dt>{labels[field]}</dt>
                  <dd>{t("form.elsewhere.mine", { value: shown(mine) })}</dd>
                  <dd>{t("form.elsewhere.theirs", { value: shown(theirs.get(field)) })}</dd>
                </div>
              ))}
            </chakra.dl>
          )}
          <Flex wrap="wrap" gap="2">
            <Button type="button" size="sm" variant="outline" onClick={form.takeOver}>
              {t("form.elsewhere.takeOver")}
            </Button>
            <Button type="button" size="sm" variant="outline" onClick={form.keepMine}>
              {t("form.elsewhere.keepMine")}
            </Button>
          </Flex>
        </Grid>
      )}
      {form.unsure && (
        <chakra.p css={UNSURE} role="status" data-testid="form-unsure">
          {t("form.unsure")}
        </chakra.p>
      )}
      {form.failure !== null && <ErrorNote>{form.failure}</ErrorNote>}
    </>
  );
}
