import { Button, chakra, Flex, type FlexProps, type HTMLChakraProps } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import { useBackNavigation } from "../../components/back-navigation.ts";
import { type FieldLabels, FormNotes, type Noted } from "./form-notes.tsx";
import type { FormControl } from "./use-form.ts";
import "./form.css";

interface FormProps extends Omit<HTMLChakraProps<"form">, "form" | "onSubmit"> {
  form: Noted & Pick<FormControl<object>, "submit">;
  /** Field labels for the comparison of two versions. */
  labels?: FieldLabels | undefined;
  /** True if the fields are read-only. */
  disabled?: boolean;
  /** Buttons at the end. */
  actions?: ReactNode;
}

/** Fields below one another, the notes about the whole form, and its buttons. */
export function Form({ form, labels, disabled, actions, children, ...look }: FormProps) {
  return (
    <chakra.form display="grid" gap="5" noValidate onSubmit={form.submit} {...look}>
      {disabled === undefined ? (
        children
      ) : (
        <chakra.fieldset display="contents" disabled={disabled}>
          {children}
        </chakra.fieldset>
      )}
      <FormNotes form={form} labels={labels} />
      {actions}
    </chakra.form>
  );
}

/** The buttons of a form in a row, which they fill on a phone. */
export function FormActions(props: FlexProps) {
  return (
    <Flex
      wrap="wrap"
      justify="flex-end"
      gap="3"
      css={{ "[data-surface=phone] & > *": { flex: "1" } }}
      {...props}
    />
  );
}

/**
 * Discard a form and go back to the previous page. @param otherwise address for a user who came from
 * elsewhere
 */
export function CancelButton({ otherwise }: { otherwise: string }) {
  const { t } = useTranslation("common");
  const navigate = useNavigate();
  const back = useBackNavigation();
  return (
    <Button
      type="button"
      variant="outline"
      size="lg"
      onClick={() => void (back === null ? navigate(otherwise) : navigate(-1))}
    >
      {t("action.cancel")}
    </Button>
  );
}
