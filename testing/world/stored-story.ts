import { parse } from "@mulkko/shared/schema/parse";
import { type Static, Type } from "typebox";
import { FAILING, LINES } from "./plan.ts";

const Ms = Type.Number({ minimum: 0 });
const one = <T extends string>(names: readonly T[]) => Type.Union(names.map((name) => Type.Literal(name)));
const line = one(LINES);
const machine = one(FAILING);
const valve = Type.Integer({ minimum: 1 });

const StoredHappening = Type.Intersect([
  Type.Object({ at: Ms }),
  Type.Union([
    Type.Object({ kind: Type.Literal("open"), valve, seconds: Type.Number() }),
    Type.Object({ kind: Type.Literal("close"), valve }),
    Type.Object({ kind: Type.Literal("take-back") }),
    Type.Object({ kind: Type.Literal("reload") }),
    Type.Object({ kind: Type.Literal("sleep"), ms: Ms }),
    Type.Object({ kind: Type.Literal("hand"), valve, open: Type.Boolean() }),
    Type.Object({
      kind: Type.Literal("hold"),
      line,
      direction: one(["there", "back", "both"] as const),
      ms: Ms,
    }),
    Type.Object({ kind: Type.Literal("cut"), line, ms: Ms }),
    Type.Object({ kind: Type.Literal("slow"), line, byMs: Ms, ms: Ms }),
    Type.Object({ kind: Type.Literal("kill"), machine, ms: Ms }),
    Type.Object({ kind: Type.Literal("freeze"), machine, ms: Ms }),
    Type.Object({ kind: Type.Literal("stick"), valve }),
  ]),
]);

/** A world in a file: what was found once, and must not come back. */
export const StoredStory = Type.Object({
  /** The fault, in one sentence. */
  found: Type.String({ minLength: 1 }),
  /** The rule that it broke. */
  broke: Type.String({ pattern: "^W-\\d+$" }),
  plan: Type.Object({
    seed: Type.Integer(),
    lengthMs: Ms,
    controller: Type.Object({
      reportMs: Ms,
      hasClock: Type.Boolean(),
      hasWill: Type.Boolean(),
      turnMs: Ms,
    }),
    happenings: Type.Array(StoredHappening),
  }),
});
export type StoredStory = Static<typeof StoredStory>;

/** Read a stored story. @throws Error with the path of what is wrong */
export function readStory(text: string): StoredStory {
  const read = parse(StoredStory, JSON.parse(text));
  if (!read.ok) throw new Error(`the story is not readable: ${read.path} ${read.message}`);
  return read.value;
}
