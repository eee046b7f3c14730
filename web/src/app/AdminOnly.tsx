import { Outlet } from "react-router-dom";
import { useAccount } from "../api/hooks.ts";
import { Forbidden } from "./Forbidden.tsx";

/** Guard of the administrators' addresses: shows a message to other users. */
export function AdminOnly() {
  return useAccount().userType === "ADMIN" ? <Outlet /> : <Forbidden />;
}
