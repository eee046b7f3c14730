import { OddFields } from "@mulkko/shared/rest/odd-fields";
import { relayPath } from "@mulkko/shared/rest/routes";
import type { RestClient } from "./client.ts";

/** Fetch the fields that the farm API sends in an unexpected format, for administrators. */
export const fetchOddFields = (rest: RestClient, signal: AbortSignal): Promise<OddFields> =>
  rest.call({ method: "GET", path: relayPath.oddFields, answer: OddFields, signal });
