import type { Person } from "./person.ts";
import type { Page } from "./phone.ts";

/** A form of a page. */
interface Lasting {
  /** Look at what is reported, as a page does with each message. */
  look(): void;
  /** Leave the form. */
  end(): void;
}

/** A press in a form, as the world remembers it. */
interface Shown {
  /** False once its page or its form is gone, or another one was pressed in it: it says nothing more. */
  isShown: boolean;
}

/** A form that is open on a page, and what was last pressed in it. */
export interface OpenForm<F, P> {
  readonly by: Person;
  readonly page: Page;
  readonly form: F;
  last: P | null;
}

/** The forms that are open on the pages of people, one of each name on a page. */
export class OpenForms<F extends Lasting, P extends Shown> {
  readonly #forms = new Map<string, OpenForm<F, P>>();

  /** Return a person's form, or open it. @param name the same for the same form of a page */
  open(by: Person, page: Page, name: string, create: () => F): OpenForm<F, P> {
    const key = `${by.name} ${name}`;
    const before = this.#forms.get(key);
    if (before?.page === page) return before;
    const open: OpenForm<F, P> = { by, page, form: create(), last: null };
    this.#forms.set(key, open);
    return open;
  }

  /** Note a press: from now on the form speaks of it alone. */
  pressed(open: OpenForm<F, P>, press: P): void {
    if (open.last) open.last.isShown = false;
    open.last = press;
  }

  /** Let every form look, and end those whose page is gone. @param lookAt looks at a last press that is still shown */
  look(lookAt: (press: P) => void): void {
    for (const [key, open] of this.#forms) {
      const { by, page, form, last } = open;
      if (by.phone.page === page && !page.isSignedOut) {
        if (by.phone.isRead) form.look();
        if (last) lookAt(last);
        continue;
      }
      if (last) last.isShown = false;
      form.end();
      this.#forms.delete(key);
    }
  }
}
