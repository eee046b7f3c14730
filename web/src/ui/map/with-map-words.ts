import { loadWords } from "../../i18n/words.ts";
import { retried } from "../lazy/retried.ts";

/** Load a part of the map with its translations: a form loads only its own. */
export const withMapWords = <Part>(load: () => Promise<Part>): Promise<Part> =>
  retried(async () => {
    const [loaded] = await Promise.all([load(), loadWords(["maps"])]);
    return loaded;
  });
