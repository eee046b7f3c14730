import { ImageAnswer } from "@mulkko/shared/rest/account";
import { parse } from "@mulkko/shared/schema/parse";

/** The path of a picture that was just set; an API may answer nothing. */
export function imagePathOf(answer: unknown): string | null {
  const parsed = parse(ImageAnswer, answer);
  return parsed.ok ? parsed.value.imagePath : null;
}
