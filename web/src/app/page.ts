import type { Account } from "@mulkko/shared/entities/account";
import type { FlatNamespace } from "i18next";
import { type ComponentType, createElement } from "react";
import type { RouteObject } from "react-router-dom";
import { missingStyles } from "../components/lazy/retried.ts";

/** Administrators' address; opening it ends the viewing. */
export const ADMIN_PATH = "/adminpage";

/**
 * Return the address of a user's home. An administrator's is the administration, except without any other account
 * (FIRST-1). An API that does not tell counts as one with others.
 */
export const homeOf = ({ userType, onlyAccount }: Account): string =>
  userType === "ADMIN" && !onlyAccount ? ADMIN_PATH : "/dashboard";

/** A route's page information; read from its `handle` by {@link titleOf}. */
export interface PageHandle {
  /** Key of the page's title, `maps:title`: the document's title (WCAG 2.4.2). */
  readonly title: string;
  /** True if only administrators may open it; other users see this title. */
  readonly forAdmins?: boolean;
}

/** A page's code (an administrator's: or translations) failed to load: this browser is offline, or a newer client is served. */
export class PageMissing extends Error {
  override name = "PageMissing";
  /** Number of consecutive failed loads. */
  readonly failures: number;

  constructor(path: string, failures: number, cause: unknown) {
    super(path, { cause });
    this.failures = failures;
  }
}

/** The route of one page. */
export type PageRoute = RouteObject & {
  /** Load the page; rejects with {@link PageMissing}. */
  readonly loader: () => Promise<null>;
  readonly handle: PageHandle;
};

/** Loaded component of a page. */
interface Slot {
  Loaded: ComponentType | null;
  failures: number;
}

function PageOf({ slot }: { slot: Slot }) {
  return slot.Loaded && createElement(slot.Loaded);
}

/**
 * Create the route of a lazily loaded page; the previous page stays until it is loaded. A failed load is
 * retried by the next visit, which the router's `lazy` would not do.
 *
 * @param load load the component: `() => import("../features/maps/MapsPage.tsx").then((m) => m.MapsPage)`
 * @param title key of the page's title
 */
export function page(
  path: string,
  load: () => Promise<ComponentType>,
  title: `${FlatNamespace}:title` | "shell:notFound.title",
): PageRoute {
  const slot: Slot = { Loaded: null, failures: 0 };
  return {
    path,
    handle: { title },
    async loader() {
      if (slot.Loaded) return null;
      try {
        const Loaded = await load();
        await missingStyles();
        slot.Loaded = Loaded;
        slot.failures = 0;
      } catch (cause) {
        slot.failures += 1;
        throw new PageMissing(path, slot.failures, cause);
      }
      return null;
    },
    // Another search in the address is the same page and needs no load.
    shouldRevalidate: () => false,
    element: createElement(PageOf, { slot }),
  };
}

/** Create the route of an unknown address. */
export const notFound = (path: string): PageRoute =>
  page(path, () => import("./NotFound.tsx").then((m) => m.NotFound), "shell:notFound.title");

/** Return a route's page information; null for a route without a page. */
function handleOf(handle: unknown): PageHandle | null {
  if (typeof handle !== "object" || handle === null || !("title" in handle)) return null;
  if (typeof handle.title !== "string") return null;
  return { title: handle.title, forAdmins: "forAdmins" in handle && handle.forAdmins === true };
}

/**
 * Return the title key of these routes, outermost first: the innermost with a title, or the first that this
 * user may not open.
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
