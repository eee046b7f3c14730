import { CommandRecord, type FleetCloseBody } from "@mulkko/shared/rest/command";
import { relayPath } from "@mulkko/shared/rest/routes";
import type { RestClient } from "./client.ts";

/**
 * Close a valve of any account (CMD-21). @param commandId the same id again sends nothing twice
 *
 * @throws ApiError 403 no administrator, or the account is disabled; 404 the valve is gone
 */
export const closeFleetValve = (rest: RestClient, commandId: string, body: FleetCloseBody) =>
  rest.call({
    method: "POST",
    path: relayPath.fleetClose,
    answer: CommandRecord,
    body,
    headers: { "Idempotency-Key": commandId },
  });
