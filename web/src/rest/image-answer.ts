import { ImageAnswer } from "@mulkko/shared/rest/account";
import { parse } from "@mulkko/shared/schema/parse";

/** Return the path of a stored image; null if the API returns nothing. */
export function imagePathOf(answer: unknown): string | null {
  const parsed = parse(ImageAnswer, answer);
  return parsed.ok ? parsed.value.imagePath : null;
}
