import { Navigate, useLocation } from "react-router-dom";
import { useSession } from "../../api/hooks.ts";
import { Entrance } from "../../components/entrance.tsx";
import { LoginForm } from "./LoginForm.tsx";
import { readLoginState } from "./origin.ts";
import { SetupForm } from "./SetupForm.tsx";
import { useSetup } from "./use-setup.ts";

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
