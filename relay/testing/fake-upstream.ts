import { mend } from "@mulkko/shared/schema/mend";
import type { Static, TSchema } from "typebox";
import type { CallOptions, UpstreamClient } from "../src/upstream/client.ts";
import { UpstreamAnswerError } from "../src/upstream/errors.ts";

/** A farm API without a socket: a test sets the answer of each path, and when it comes. */
export interface FakeUpstream extends UpstreamClient {
  readonly calls: { method: string; path: string; options: CallOptions }[];
  /**
   * Answer the path with a value, or reject with an error. A promise is awaited, and a function called each
   * time.
   */
  answer(path: string, value: unknown): void;
  /** Set the answer of every other path. */
  answerOthers(value: unknown): void;
  /** Return the number of requests of the path so far. */
  count(path: string): number;
}

export function createFakeUpstream(): FakeUpstream {
  const answers = new Map<string, unknown>();
  const calls: FakeUpstream["calls"] = [];
  let others: unknown;
  const call = async <S extends TSchema>(
    method: string,
    path: string,
    schema: S,
    options: CallOptions = {},
  ): Promise<Static<S>> => {
    calls.push({ method, path, options });
    const answer = answers.has(path) ? answers.get(path) : others;
    const value: unknown = await (typeof answer === "function" ? answer(options) : answer);
    if (value instanceof Error) throw value;
    const mended = mend(schema, value);
    if (!mended.ok) throw new UpstreamAnswerError(`${path} sent an unexpected answer`);
    return mended.value;
  };
  return {
    calls,
    answer: (path, value) => answers.set(path, value),
    answerOthers(value) {
      others = value;
    },
    count: (path) => calls.filter((call) => call.path === path).length,
    get: (path, schema, options) => call("GET", path, schema, options),
    send: ({ methods, path }, schema, options) => call(methods[0], path, schema, options),
  };
}
