/**
 * Statuses by which a server refuses one call for good: it did not carry the call out, and would refuse the same
 * call again. Everything else, known or unknown, means "not now" (KEEP-5): a proxy, a maintenance page, a limit.
 */
const FINAL: ReadonlySet<number> = new Set([
  400, 401, 403, 404, 405, 406, 409, 410, 411, 412, 413, 414, 415, 416, 422, 428, 431,
]);

/** Return true for a status by which a server refuses a call for good. */
export const isFinalStatus = (status: number): boolean => FINAL.has(status);

/** Statuses by which a server says that it does not know a call at all. */
const UNKNOWN_CALL: ReadonlySet<number> = new Set([404, 405, 410, 501]);

/** Return true for a status by which a server says that it does not know a call at all. */
export const lacksCall = (status: number): boolean => UNKNOWN_CALL.has(status);

/** Statuses other than the final ones by which a server says that it did not begin with the call. */
const NOT_BEGUN: ReadonlySet<number> = new Set([408, 425, 429, 503]);

/** Return true if a server may have carried out a call that it answered with this status of 400 or more. */
export const mayHaveDone = (status: number): boolean => !FINAL.has(status) && !NOT_BEGUN.has(status);
