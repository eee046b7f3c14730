import { type ComponentType, createElement } from "react";
import type { RouteObject } from "react-router-dom";
import { loadWords, type Words } from "../i18n/words.ts";
import { missingStyles } from "../ui/lazy/retried.ts";
import { prepareSystem } from "../ui/theme/system.ts";

/** What a route says of its page; read from its `handle` by {@link titleOf}. */
export interface PageHandle {
  /** Key of the page's name, `maps:title`: the document's title (WCAG 2.4.2). */
  readonly title: string;
  /** Everything within it is for administrators; for everybody else this title stands. */
  readonly forAdmins?: boolean;
}

/** A page's code or words could not be fetched: this browser is offline, or a newer client is served. */
export class PageMissing extends Error {
  override name = "PageMissing";
  /** How often in a row the page could not be fetched. */
  readonly failures: number;

  constructor(path: string, failures: number, cause: unknown) {
    super(path, { cause });
    this.failures = failures;
  }
}

/** The route of one page. */
export type PageRoute = RouteObject & {
  /** Brings code and words; rejects with {@link PageMissing}. */
  readonly loader: () => Promise<null>;
  readonly handle: PageHandle;
};

/** Where a page's component stands once it has come. */
interface Slot {
  Loaded: ComponentType | null;
  failures: number;
}

function PageOf({ slot }: { slot: Slot }) {
  return slot.Loaded && createElement(slot.Loaded);
}

/**
 * A page that is fetched when somebody goes there, with its words beside it: until both are there the page before
 * stays. What could not be fetched is asked for again by the next visit, which `lazy` of the router would not do.
 *
 * @param load brings the component: `() => import("../features/maps/MapsPage.tsx").then((m) => m.MapsPage)`
 * @param words namespaces that it speaks; the first one's `title` is the page's name
 */
export function page(
  path: string,
  load: () => Promise<ComponentType>,
  words: readonly [Words, ...Words[]],
): PageRoute {
  const slot: Slot = { Loaded: null, failures: 0 };
  return {
    path,
    handle: { title: `${words[0]}:title` },
    async loader() {
      if (slot.Loaded) return null;
      try {
        const [Loaded] = await Promise.all([load(), loadWords(words), prepareSystem()]);
        await missingStyles();
        slot.Loaded = Loaded;
        slot.failures = 0;
      } catch (cause) {
        slot.failures += 1;
        throw new PageMissing(path, slot.failures, cause);
      }
      return null;
    },
    // Another search in the address is the same page, and brings nothing that is not there.
    shouldRevalidate: () => false,
    element: createElement(PageOf, { slot }),
  };
}

/** What a route says of its page; null for a route that is no page. */
function handleOf(handle: unknown): PageHandle | null {
  if (typeof handle !== "object" || handle === null || !("title" in handle)) return null;
  if (typeof handle.title !== "string") return null;
  return { title: handle.title, forAdmins: "forAdmins" in handle && handle.forAdmins === true };
}

/**
 * The name's key of what these routes show, outermost first: the innermost that has a name, or the first that is not
 * for this person.
 */
export function titleOf(handles: readonly unknown[], isAdmin: boolean): string | null {
  let innermost: string | null = null;
  for (const each of handles) {
    const handle = handleOf(each);
    if (handle === null) continue;
    innermost = handle.title;
    if (handle.forAdmins && !isAdmin) break;
  }
  return innermost;
}
