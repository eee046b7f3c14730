import { groupedDigits, searchText } from "@mulkko/shared/rules/search-text";

/** Return the text of all words of a thing for {@link textSearch}; a telephone number also without hyphens. */
export function searchableText(words: readonly (string | number | null | undefined)[]): string {
  const texts = words.flatMap((word) => {
    const text = `${word ?? ""}`;
    return [searchText(text), groupedDigits(text) ?? ""];
  });
  return [...new Set(texts)].join("\n");
}

/** Return a test of a {@link searchableText} for a typed text; an empty text finds all (FIND-1). */
export function textSearch(typed: string): (searchable: string) => boolean {
  const wanted = searchText(typed).trim();
  const digits = groupedDigits(typed);
  return (searchable) => searchable.includes(wanted) || (digits !== null && searchable.includes(digits));
}

/** Return a test of names and other words for a typed text; an empty text finds all (FIND-1). */
export function searchFor(typed: string): (...words: readonly string[]) => boolean {
  const finds = textSearch(typed);
  return (...words) => finds(searchableText(words));
}
