import { describe, expect, test } from "vitest";
import { DISPLAY_LIMITS } from "./limits.ts";
import { createIssuedTokens } from "./pairing-answers.ts";

describe("a token whose answer was lost", () => {
  test("[displays] may be requested once more, by the same screen and within a minute", () => {
    const issuedTokens = createIssuedTokens();
    issuedTokens.issued("dev-1", "d1", 0);
    issuedTokens.issued("dev-2", "d2", 0);
    expect(issuedTokens.reissue("dev-3", 1)).toBeUndefined();
    expect(issuedTokens.reissue("dev-1", DISPLAY_LIMITS.lostMs)).toBe("d1");
    expect(issuedTokens.reissue("dev-1", DISPLAY_LIMITS.lostMs)).toBeUndefined();
    expect(issuedTokens.reissue("dev-2", DISPLAY_LIMITS.lostMs + 1)).toBeUndefined();
  });

  test("[displays] counts as received once the display has used it", () => {
    const issuedTokens = createIssuedTokens();
    issuedTokens.issued("dev-1", "d1", 0);
    issuedTokens.noteUsed("d1");
    expect(issuedTokens.reissue("dev-1", 1)).toBeUndefined();
  });

  test("[displays] is remembered for a limited number of screens, the oldest removed first", () => {
    const issuedTokens = createIssuedTokens();
    for (let screen = 0; screen <= DISPLAY_LIMITS.timed; screen += 1)
      issuedTokens.issued(`dev-${screen}`, "d", 0);
    expect(issuedTokens.reissue("dev-0", 1)).toBeUndefined();
    expect(issuedTokens.reissue("dev-1", 1)).toBe("d");
  });
});
