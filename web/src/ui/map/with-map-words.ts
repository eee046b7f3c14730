import { loadWords } from "../../i18n/words.ts";

/** A part of the map with the words that it speaks, wherever it stands: a form asks for its own words alone. */
export async function withMapWords<Part>(part: Promise<Part>): Promise<Part> {
  const [loaded] = await Promise.all([part, loadWords(["maps"])]);
  return loaded;
}
