import type { Account } from "@mulkko/shared/entities/account";
import { lazy, Suspense, useEffect } from "react";
import { useLocation } from "react-router-dom";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { useRest } from "../api/hooks.ts";
import type { ReadAccount } from "../api/view-as.ts";
import { retried } from "../components/lazy/retried.ts";
import { SignedIn } from "./offline/SignedIn.tsx";
import { ADMIN_PATH } from "./view-as/view-as-address.ts";

/** For administrators only. */
const OtherFarm = lazy(async () => ({
  default: (await retried(() => import("./view-as/OtherFarm.tsx"))).OtherFarm,
}));

/** Placeholder without a viewed account. */
const NOBODY = createStore<ReadAccount | null>(() => null);

/** Render the pages of the signed-in account, or of the account that its administrator views (HS-2). */
export function AccountPages({ account }: { account: Account }) {
  const { reading } = useRest();
  const { pathname } = useLocation();
  const read = useStore(reading?.store ?? NOBODY);
  const onAdminPages = pathname === ADMIN_PATH || pathname.startsWith(`${ADMIN_PATH}/`);
  useEffect(() => {
    // Viewing ends on the administrators' pages, also after back navigation or a reload.
    if (onAdminPages) reading?.leave();
  }, [onAdminPages, reading]);
  if (read !== null && !onAdminPages) {
    return (
      <Suspense fallback={null}>
        <OtherFarm key={read.id} account={read} by={account} />
      </Suspense>
    );
  }
  return <SignedIn key={`${account.id}`} account={account} />;
}
