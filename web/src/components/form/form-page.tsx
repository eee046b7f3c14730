import { Button } from "@chakra-ui/react";
import type { KeyboardEvent, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import { Card } from "../card.tsx";
import { BackLink, PageHeading } from "../page-heading.tsx";
import { Skeleton } from "../skeleton.tsx";
import { type FieldLabels, FormNotes } from "./form-notes.tsx";
import { LeaveGuard } from "./leave-guard.tsx";
import type { FormControl } from "./use-form.ts";
import "./form.css";

type PageForm = Pick<
  FormControl<object>,
  "values" | "changed" | "busy" | "submit" | "failure" | "elsewhere" | "takeOver" | "keepMine"
>;

interface FormPageProps {
  form: PageForm;
  /** Target of back navigation and of cancelling. */
  returnTo: string;
  title: string;
  note?: string;
  actions?: ReactNode;
  /** Shown between heading and form. */
  notice?: ReactNode;
  submit: string;
  /** True if the content is stored elsewhere or is discarded: leaving needs no question. */
  settled: boolean;
  /** True if the fields are read-only. */
  disabled?: boolean;
  /** False: Enter in a single-line input does not submit. */
  sentByEnter?: boolean;
  /** Field labels for the comparison of two versions. */
  labels?: FieldLabels;
  children: ReactNode;
}

/** Enter in a single-line input does not save. Buttons and text areas keep it. */
function blockEnter(event: KeyboardEvent): void {
  if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
  // An input method editor uses Enter to end a composition: keep that.
  if (!event.nativeEvent.isComposing) event.preventDefault();
}

/** Render a page with one form: back link, fields, notes, cancel and submit. */
export function FormPage(props: FormPageProps) {
  const { form, returnTo, title, note, actions, notice, submit, settled, disabled = false, children } = props;
  const { sentByEnter = true } = props;
  const { t } = useTranslation("common");
  const navigate = useNavigate();
  return (
    <div className="form-page">
      <LeaveGuard when={form.changed && !settled} />
      <PageHeading mb="0" lead={<BackLink to={returnTo} />} title={title} note={note} actions={actions} />
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

/** Placeholder of a form page while its content loads. */
export function FormPageLoading() {
  return (
    <div className="form-page" aria-busy="true">
      <Skeleton height="3rem" />
      <Skeleton height="30rem" />
    </div>
  );
}
