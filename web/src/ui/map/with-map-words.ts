import { loadWords } from "../../i18n/words.ts";
import { retried } from "../lazy/retried.ts";

/** A part of the map with the words that it speaks, wherever it stands: a form asks for its own words alone. */
export const withMapWords = <Part>(load: () => Promise<Part>): Promise<Part> =>
  retried(async () => {
    const [loaded] = await Promise.all([load(), loadWords(["maps"])]);
    return loaded;
  });
