import { Button, Grid } from "@chakra-ui/react";
import type { KeyboardEvent, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import { Card } from "../../components/card.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { BackLink, PageHeading } from "../../components/page-heading.tsx";
import { EmptyField } from "../../components/scenes/empty-field.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { Form, FormActions } from "./form.tsx";
import type { FieldLabels, Noted } from "./form-notes.tsx";
import { LeaveGuard } from "./leave-guard.tsx";
import type { FormControl } from "./use-form.ts";

interface FormPageProps {
  form: Noted & Pick<FormControl<object>, "changed" | "busy" | "submit">;
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
    <Grid gap="4" maxW="48rem" css={{ "& > *": { minW: "0" } }}>
      <LeaveGuard when={form.changed && !settled} />
      <PageHeading mb="0" lead={<BackLink to={returnTo} />} title={title} note={note} actions={actions} />
      {notice}
      <Card>
        <Form
          form={form}
          labels={props.labels}
          disabled={disabled}
          onKeyDown={sentByEnter ? undefined : blockEnter}
          actions={
            <FormActions>
              <Button type="button" variant="outline" size="lg" onClick={() => void navigate(returnTo)}>
                {t("action.cancel")}
              </Button>
              <Button type="submit" size="lg" disabled={disabled} loading={form.busy} loadingText={submit}>
                {submit}
              </Button>
            </FormActions>
          }
        >
          {children}
        </Form>
      </Card>
    </Grid>
  );
}

/** Placeholder of a form page while its content loads. */
export function FormPageLoading() {
  return (
    <Grid gap="4" maxW="48rem" css={{ "& > *": { minW: "0" } }} aria-busy="true">
      <Skeleton height="3rem" />
      <Skeleton height="30rem" />
    </Grid>
  );
}

interface FormPageEmptyProps {
  title: string;
  /** Address of the list. */
  to: string;
  /** Text of the link to the list. */
  toList: string;
}

/** Fill a form page whose object does not exist, with a link to its list. */
export function FormPageEmpty({ title, to, toList }: FormPageEmptyProps) {
  return <EmptyState scene={<EmptyField />} title={title} link={{ to, text: toList }} />;
}
