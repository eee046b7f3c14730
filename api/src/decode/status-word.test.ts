import { expect, test } from "vitest";
import { readStatus } from "./status-word.ts";

const read = (text: string) => readStatus(Buffer.from(text));
const PAIRS = [
  ["online", "offline"],
  ["connected", "disconnected"],
  ["up", "down"],
  ["alive", "dead"],
  ["on", "off"],
  ["true", "false"],
  ["1", "0"],
] as const;
const caseOf = (word: string) => [word, word.toUpperCase(), ` ${word}\n`, `"${word}"`];

test.each(PAIRS)("[WILL-1] reads the words %s and %s in any case, also as JSON", (up, down) => {
  for (const [word, online] of [[up, true] as const, [down, false] as const]) {
    for (const text of caseOf(word)) expect([text, read(text)]).toEqual([text, online]);
    for (const member of ["online", "connected", "status", "state"]) {
      const object = JSON.stringify({ [member]: word, at: "2026-11-21T09:00:00Z" });
      expect([object, read(object)]).toEqual([object, online]);
    }
  }
});

test("[WILL-1] reads a boolean or number in a JSON object", () => {
  expect(['{"online": false}', '{"online":true}', '{"connected": 0}', '{"state":1}'].map(read)).toEqual([
    ...[false, true, false, true],
  ]);
});

test.each([
  ...["", " ", "{}", "[]", "null", "perhaps", "online offline", "onl", "2", "-1", "__proto__", "toString"],
  ...['{"online": null}', '{"online": {"deep": true}}', '{"online": "perhaps"}', '{"other": false}'],
  ...['{"online": true, "status": "offline"}', '{"online": false, "state": "perhaps"}', '["offline"]'],
  `{"online": false, "note": "${"x".repeat(300)}"}`,
])("[WILL-1] guesses nothing from %s", (text) => {
  expect(read(text)).toBeNull();
});
