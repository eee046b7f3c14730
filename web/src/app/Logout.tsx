import { useEffect } from "react";
import { Navigate } from "react-router-dom";
import { useRest, useSession } from "../rest/hooks.ts";

/** Signs out and goes to /login, also when the farm API cannot be told. */
export function Logout() {
  const { session } = useRest();
  const { state } = useSession();
  useEffect(() => {
    void session.logout();
  }, [session]);
  return state === "signed-out" ? <Navigate to="/login" replace /> : null;
}
