import { Button } from "@chakra-ui/react";
import { useTranslation } from "../../i18n/use-translation.ts";
import { ErrorNote } from "../feedback/error-note.tsx";
import type { FormControl } from "./use-form.ts";
import "./form-notes.css";

type Noted = Pick<FormControl<object>, "failure" | "elsewhere" | "takeOver" | "keepMine">;

/** What concerns a whole form: why it was not saved, and that somebody else has changed the same. */
export function FormNotes({ form }: { form: Noted }) {
  const { t } = useTranslation("common");
  return (
    <>
      {form.elsewhere !== null && (
        <div className="form-notes" role="status">
          <p>{t("form.elsewhere.text")}</p>
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
