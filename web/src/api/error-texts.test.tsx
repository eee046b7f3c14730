import { renderHook } from "@testing-library/react";
import { beforeAll, expect, it } from "vitest";
import { speakKorean } from "../testing/speak-korean.ts";
import { useWriteFailureTexts } from "./error-texts.ts";
import { ApiError, BadAnswerError, callFailure, NoAnswerError, NotSentError } from "./errors.ts";

beforeAll(speakKorean);

const refusal = (status: number) => new ApiError(status, { code: "internal", message: "" }, null);
const UNKNOWN = "처리되었는지 알 수 없습니다. 다시 눌러도 됩니다.";

it.each<[string, Error, string]>([
  ["no answer", new NoAnswerError("DELETE"), UNKNOWN],
  ["an unreadable answer", new BadAnswerError("DELETE"), UNKNOWN],
  ["no network at the press", new NotSentError("DELETE"), "삭제하지 못했습니다."],
  ...[403, 409, 422, 429].map((status): [string, Error, string] => [
    `${status}`,
    refusal(status),
    "삭제하지 못했습니다.",
  ]),
  ...[500, 502, 503, 504].map((status): [string, Error, string] => [`${status}`, refusal(status), UNKNOWN]),
])("[CMD-19] says after %s if a deletion failed, or if that is not known", (_, error, expected) => {
  const { result } = renderHook(() => useWriteFailureTexts());
  expect(result.current("삭제하지 못했습니다.", callFailure(error))).toMatch(new RegExp(`^${expected}`));
});
