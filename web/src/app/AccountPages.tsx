import type { Account } from "@mulkko/shared/entities/account";
import { lazy, Suspense, useEffect } from "react";
import { useLocation } from "react-router-dom";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { useRest } from "../rest/hooks.ts";
import type { ReadAccount } from "../rest/reading.ts";
import { retried } from "../ui/lazy/retried.ts";
import { SignedIn } from "./offline/SignedIn.tsx";
import { DESK } from "./reading/desk-address.ts";

/** Administrators alone ever see it. */
const OtherFarm = lazy(async () => ({
  default: (await retried(() => import("./reading/OtherFarm.tsx"))).OtherFarm,
}));

/** Stands for a desk where nobody reads anything. */
const NOBODY = createStore<ReadAccount | null>(() => null);

/** The pages of the account that is signed in, or those of the account that its administrator reads (HS-2). */
export function AccountPages({ account }: { account: Account }) {
  const { reading } = useRest();
  const { pathname } = useLocation();
  const read = useStore(reading?.store ?? NOBODY);
  const atDesk = pathname === DESK || pathname.startsWith(`${DESK}/`);
  useEffect(() => {
    // Who comes to the desk, also by the way back or a reload, is themselves again.
    if (atDesk) reading?.leave();
  }, [atDesk, reading]);
  if (read !== null && !atDesk) {
    return (
      <Suspense fallback={null}>
        <OtherFarm key={read.id} account={read} by={account} />
      </Suspense>
    );
  }
  return <SignedIn key={`${account.id}`} account={account} />;
}
