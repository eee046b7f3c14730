import type { Static, TSchema } from "typebox";
import Value from "typebox/value";
import type { CallOptions, UpstreamClient } from "../upstream/client.ts";
import { UpstreamAnswerError } from "../upstream/errors.ts";

/** A farm API behind no socket: each path answers what a test says, when it says so. */
export interface FakeUpstream extends UpstreamClient {
  readonly calls: { method: string; path: string; options: CallOptions }[];
  /** Answers the path with a value, or rejects with an error; a promise is waited for. */
  answer(path: string, value: unknown): void;
  /** What every path without an answer of its own gives. */
  answerOthers(value: unknown): void;
  /** Requests of the path so far. */
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
    const value = await (answers.has(path) ? answers.get(path) : others);
    if (value instanceof Error) throw value;
    if (!Value.Check(schema, value)) throw new UpstreamAnswerError(`${path} answered otherwise than agreed`);
    return value;
  };
  return {
    calls,
    answer: (path, value) => answers.set(path, value),
    answerOthers(value) {
      others = value;
    },
    count: (path) => calls.filter((call) => call.path === path).length,
    get: (path, schema, options) => call("GET", path, schema, options),
    post: (path, schema, options) => call("POST", path, schema, options),
    put: (path, schema, options) => call("PUT", path, schema, options),
  };
}
