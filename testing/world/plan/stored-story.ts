import { parse } from "@mulkko/shared/schema/parse";
import { type Static, Type } from "typebox";
import { Plan } from "./plan.ts";

/** A world in a file: what was found once, and must not come back. */
export const StoredStory = Type.Object({
  /** The fault, in one sentence. */
  found: Type.String({ minLength: 1 }),
  /** The rule that it broke. */
  broke: Type.String({ pattern: "^W-\\d+$" }),
  /** The fault put back, by which the story still breaks its rule. */
  mutant: Type.Optional(Type.String({ minLength: 1 })),
  plan: Plan,
});
export type StoredStory = Static<typeof StoredStory>;

/** Read a stored story. @throws Error with the path of what is wrong */
export function readStory(text: string): StoredStory {
  const read = parse(StoredStory, JSON.parse(text));
  if (!read.ok) throw new Error(`the story is not readable: ${read.path} ${read.message}`);
  return read.value;
}
