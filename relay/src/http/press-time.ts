import type { IncomingHttpHeaders } from "node:http";
import { PRESS_HEADERS } from "@mulkko/shared/rest/command";
import { Instant } from "@mulkko/shared/schema/instant";
import { parse } from "@mulkko/shared/schema/parse";
import { RelayError } from "./relay-error.ts";

const WITHIN_MS = /^\d{1,8}$/;

/**
 * Return the earliest press time that the headers of a call claim, ms UTC (CMD-10); null without one.
 *
 * @throws RelayError 400 for a time that cannot be read
 */
export function pressTimeOf(headers: IncomingHttpHeaders): number | null {
  const { [PRESS_HEADERS.at]: at, [PRESS_HEADERS.withinMs]: within = "0" } = headers;
  if (at === undefined) return null;
  const pressed = parse(Instant, at);
  if (!pressed.ok || typeof within !== "string" || !WITHIN_MS.test(within)) {
    throw new RelayError(400, "malformed", `${PRESS_HEADERS.at} or ${PRESS_HEADERS.withinMs} is invalid`);
  }
  return Date.parse(pressed.value) - Number(within);
}
