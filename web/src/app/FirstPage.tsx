import { Navigate } from "react-router-dom";
import { useAccount } from "../api/hooks.ts";

/** Render the page after login: the administration for an administrator, the farm for other users. */
export function FirstPage() {
  const to = useAccount().userType === "ADMIN" ? "/adminpage" : "/dashboard";
  return <Navigate to={to} replace />;
}
