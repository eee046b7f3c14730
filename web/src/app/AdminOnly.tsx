import { Outlet } from "react-router-dom";
import { useAccount } from "../rest/hooks.ts";
import { Forbidden } from "./Forbidden.tsx";

/** Around the administrators' addresses. Whoever is none is told so, wherever they have the address from. */
export function AdminOnly() {
  return useAccount().userType === "ADMIN" ? <Outlet /> : <Forbidden />;
}
