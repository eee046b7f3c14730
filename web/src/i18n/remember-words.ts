import type { i18n, ResourceStore } from "i18next";

/** Words by their key, as they were found with one language and one list of namespaces. */
type Found = Map<string, string>;

const books = new WeakMap<ResourceStore, Map<string, Found>>();

/** What was found so far; all of it is forgotten when a store is given more words. */
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
 * The same function, which looks a word that takes nothing up once: to find one, i18next walks through a dozen
 * options, and a page of valves asks for the same few again with every row and every reading.
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
