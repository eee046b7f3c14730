import { BackupState } from "@mulkko/shared/rest/admin";
import { apiPath } from "@mulkko/shared/rest/routes";
import type { RestClient } from "./client.ts";

/** Fetch the time of the newest backup, for administrators (extension `backups`); it is in the API's zone. */
export const fetchBackupState = (rest: RestClient, signal: AbortSignal): Promise<BackupState> =>
  rest.call({ method: "GET", path: apiPath.adminBackups, answer: BackupState, signal });
