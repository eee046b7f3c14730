import { describe, expect, it } from "vitest";
import { isFinalStatus, lacksCall, mayHaveDone } from "./final-status.ts";

/** Statuses that refuse for good. */
const FINAL = [400, 401, 403, 404, 405, 406, 409, 410, 411, 412, 413, 414, 415, 416, 422, 428, 431];
const NOT_BEGUN = [408, 425, 429, 503];

describe("the status of a failed call", () => {
  it("[KEEP-5] is final only where it is known to be, and the call may have been done where it is unknown", () => {
    for (let status = 400; status < 1_000; status += 1) {
      const isFinal = FINAL.includes(status);
      expect([status, isFinalStatus(status)]).toEqual([status, isFinal]);
      expect([status, mayHaveDone(status)]).toEqual([status, !isFinal && !NOT_BEGUN.includes(status)]);
      expect([status, lacksCall(status)]).toEqual([status, [404, 405, 410, 501].includes(status)]);
    }
  });
});
