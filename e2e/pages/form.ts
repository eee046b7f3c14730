import type { Locator, Page } from "playwright-core";
import type { Say } from "./words.ts";

/** A page's form, in any language: its fields are found by their names on the wire. */
export interface FormPage {
  field(name: string): Locator;
  /** The message at an invalid field. */
  fault(name: string): Locator;
  fill(values: Readonly<Record<string, string>>): Promise<void>;
  /** Press the submit button. */
  send(): Promise<void>;
  /** The note above that button. */
  readonly failure: Locator;
}

/** Return the first form of a page, or of the dialog that is open over it. */
export function formOn(page: Page, submit: string): FormPage {
  const form = page.locator("main form").first();
  const field = (name: string) => form.locator(`[name=${name}]`);
  return {
    field,
    fault: (name) =>
      form
        .getByTestId("field")
        .filter({ has: page.locator(`[name=${name}]`) })
        .getByTestId("field-error"),
    async fill(values) {
      for (const [name, value] of Object.entries(values)) {
        const one = field(name);
        if ((await one.evaluate((element) => element.tagName)) === "SELECT") await one.selectOption(value);
        else await one.fill(value);
      }
    },
    send: () => form.getByRole("button", { name: submit, exact: true }).click(),
    failure: form.getByTestId("error-note"),
  };
}

/** Return the question before a page with unsaved changes is left. */
export const leaveDialog = (page: Page, say: Say) =>
  page.getByRole("alertdialog", { name: say("common:form.leave.title") });
