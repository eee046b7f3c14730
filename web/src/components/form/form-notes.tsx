import { Button } from "@chakra-ui/react";
import { useTranslation } from "react-i18next";
import { ErrorNote } from "../alerts.tsx";
import type { FormControl } from "./use-form.ts";
import "./form.css";

type Noted = Pick<FormControl<object>, "failure" | "elsewhere" | "takeOver" | "keepMine" | "values">;

/** Labels of a form's fields. */
export type FieldLabels = Readonly<Record<string, string>>;

const NOTHING = "--";

/** Show notes about a whole form: the save failure and conflicting changes of another user. */
export function FormNotes({ form, labels = {} }: { form: Noted; labels?: FieldLabels }) {
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
        <div className="form-notes" role="status">
          <p>{t("form.elsewhere.text")}</p>
          {differing.length > 0 && (
            <dl className="form-notes__versions">
              {differing.map(([field, mine]) => (
                <div key={field}>
                  <dt>{labels[field]}</dt>
                  <dd>{t("form.elsewhere.mine", { value: shown(mine) })}</dd>
                  <dd>{t("form.elsewhere.theirs", { value: shown(theirs.get(field)) })}</dd>
                </div>
              ))}
            </dl>
          )}
          <div className="form-notes__choices">
            <Button type="button" size="sm" variant="outline" onClick={form.takeOver}>
              {t("form.elsewhere.takeOver")}
            </Button>
            <Button type="button" size="sm" variant="outline" onClick={form.keepMine}>
              {t("form.elsewhere.keepMine")}
            </Button>
          </div>
        </div>
      )}
      {form.failure !== null && <ErrorNote>{form.failure}</ErrorNote>}
    </>
  );
}
