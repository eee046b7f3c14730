import type { SetupState } from "@mulkko/shared/rest/setup";
import { useQueryClient } from "@tanstack/react-query";
import { Navigate, useLocation } from "react-router-dom";
import { fetchSetup } from "../../api/account.ts";
import { useSession } from "../../api/hooks.ts";
import { useRestQuery } from "../../api/queries.tsx";
import { Entrance } from "../../components/entrance.tsx";
import { LoginForm } from "./LoginForm.tsx";
import { readLoginState } from "./origin.ts";
import { SetupForm } from "./SetupForm.tsx";

/** Login page: a picture of the farm at dawn and the form. */
export function LoginPage() {
  const session = useSession();
  const setup = useSetup();
  const { origin, expired } = readLoginState(useLocation().state);
  if (session.state === "signed-in") return <Navigate to={origin} replace />;
  return (
    <Entrance>
      {setup.needed ? (
        <SetupForm onMade={setup.done} />
      ) : (
        <LoginForm expired={expired} demo={setup.demo ?? null} />
      )}
    </Entrance>
  );
}

const SETUP = ["setup"];
const READY: SetupState = { needed: false };

/**
 * Load the state that selects the login page's form: a farm without an administrator, or a demo. Until it is
 * known the page shows the login, which reports a failure on the first attempt.
 */
function useSetup(): SetupState & { done: () => void } {
  const queries = useQueryClient();
  const { data } = useRestQuery(SETUP, fetchSetup);
  return { ...(data ?? READY), done: () => queries.setQueryData(SETUP, READY) };
}
