import { Button } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { useNavigate } from "react-router-dom";
import { useTranslation } from "../../i18n/use-translation.ts";
import { BackLink } from "../layout/back-link.tsx";
import { Card } from "../layout/card.tsx";
import { PageHeading } from "../layout/page-heading.tsx";
import { blockEnter } from "./block-enter.ts";
import { type FieldLabels, FormNotes } from "./form-notes.tsx";
import { LeaveGuard } from "./leave-guard.tsx";
import type { FormControl } from "./use-form.ts";
import "./form-page.css";

type PageForm = Pick<
  FormControl<object>,
  "values" | "changed" | "busy" | "submit" | "failure" | "elsewhere" | "takeOver" | "keepMine"
>;

interface FormPageProps {
  form: PageForm;
  /** Where the way back and giving up lead. */
  returnTo: string;
  title: string;
  note?: string;
  actions?: ReactNode;
  /** Between heading and form. */
  notice?: ReactNode;
  submit: string;
  /** What is changed here is kept elsewhere, or is for nothing: leaving the page needs no question. */
  settled: boolean;
  /** There is nothing left to save: the fields can only be read. */
  disabled?: boolean;
  /** False: Enter in a line of text does not send. */
  sentByEnter?: boolean;
  /** Labels of the fields where two versions stand side by side. */
  labels?: FieldLabels;
  /** The fields. */
  children: ReactNode;
}

/** A page that is one form: the way back, its fields, what concerns all of it, giving up and sending. */
export function FormPage(props: FormPageProps) {
  const { form, returnTo, title, note, actions, notice, submit, settled, disabled = false, children } = props;
  const { sentByEnter = true } = props;
  const { t } = useTranslation("common");
  const navigate = useNavigate();
  return (
    <div className="form-page">
      <LeaveGuard when={form.changed && !settled} />
      <PageHeading lead={<BackLink to={returnTo} />} title={title} note={note} actions={actions} />
      {notice}
      <Card>
        <form
          className="form"
          onSubmit={form.submit}
          onKeyDown={sentByEnter ? undefined : blockEnter}
          noValidate
        >
          <fieldset className="form__fields" disabled={disabled}>
            {children}
          </fieldset>
          <FormNotes form={form} {...(props.labels ? { labels: props.labels } : {})} />
          <div className="form__actions">
            <Button type="button" variant="outline" size="lg" onClick={() => void navigate(returnTo)}>
              {t("action.cancel")}
            </Button>
            <Button type="submit" size="lg" disabled={disabled} loading={form.busy} loadingText={submit}>
              {submit}
            </Button>
          </div>
        </form>
      </Card>
    </div>
  );
}
