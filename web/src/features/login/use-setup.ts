import type { SetupState } from "@mulkko/shared/rest/setup";
import { useQueryClient } from "@tanstack/react-query";
import { fetchSetup } from "../../api/account.ts";
import { useRestQuery } from "../../api/queries.tsx";

const SETUP = ["setup"];
const READY: SetupState = { needed: false };

/**
 * Load the state that selects the login page's form: a farm without an administrator, or a demo. Until it is
 * known the page shows the login, which reports a failure on the first attempt.
 */
export function useSetup(): SetupState & { done: () => void } {
  const queries = useQueryClient();
  const { data } = useRestQuery(SETUP, fetchSetup);
  return { ...(data ?? READY), done: () => queries.setQueryData(SETUP, READY) };
}
