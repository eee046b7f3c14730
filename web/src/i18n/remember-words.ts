import type { i18n, ResourceStore } from "i18next";

/** Translations by key, for one language and one list of namespaces. */
type Found = Map<string, string>;

const books = new WeakMap<ResourceStore, Map<string, Found>>();

/** Return the cached translations; the cache is cleared when translations are added to a store. */
function foundWith({ store, language }: i18n, names: string): Found {
  let book = books.get(store);
  if (!book) {
    const pages = new Map<string, Found>();
    const forget = () => {
      for (const page of pages.values()) page.clear();
    };
    store.on("added", forget);
    store.on("removed", forget);
    books.set(store, pages);
    book = pages;
  }
  const page = `${language} ${names}`;
  const known = book.get(page);
  if (known) return known;
  const found: Found = new Map();
  book.set(page, found);
  return found;
}

/**
 * Wrap `t` with a cache for keys without parameters: i18next checks a dozen options per lookup, and a page of
 * valves requests the same few with every row and reading.
 *
 * @param t of this translator, with these namespaces
 */
export function rememberWords<T extends (...args: never[]) => unknown>(
  t: T,
  translator: i18n,
  names: string,
): T {
  if (!translator.isInitialized) return t;
  const found = foundWith(translator, names);
  return new Proxy(t, {
    apply(target, self, args: readonly unknown[]) {
      const [key] = args;
      if (args.length !== 1 || typeof key !== "string") return Reflect.apply(target, self, args);
      const known = found.get(key);
      if (known !== undefined) return known;
      const word: unknown = Reflect.apply(target, self, args);
      if (typeof word === "string") found.set(key, word);
      return word;
    },
  });
}
