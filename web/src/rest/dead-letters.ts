import { DeadLetterReport, Knock } from "@mulkko/shared/rest/dead-letter";
import { apiPath } from "@mulkko/shared/rest/routes";
import { Type } from "typebox";
import type { RestClient } from "./client.ts";

/** Fetch a device's recent messages that were not understood (extension `dead-letters`). */
export const fetchDeadLetters = (
  rest: RestClient,
  deviceId: string,
  signal: AbortSignal,
): Promise<DeadLetterReport> =>
  rest.call({ method: "GET", path: apiPath.deadLetters(deviceId), answer: DeadLetterReport, signal });

/** Fetch connection attempts of unregistered devices, for administrators (extension `dead-letters`). */
export const fetchKnocks = (rest: RestClient, signal: AbortSignal): Promise<Knock[]> =>
  rest.call({ method: "GET", path: apiPath.adminKnocks, answer: Type.Array(Knock), signal });
