import { systemTimers } from "@mulkko/shared/rules/clock";
import { lazy, Suspense, useEffect } from "react";
import { useStore } from "zustand";
import type { Fetch } from "../api/http.ts";
import { BUILD } from "../live/build.ts";
import { watchIdleBuild } from "./kiosk/idle-build.ts";
import { reloader } from "./kiosk/page-reloader.ts";
import { useWallScreen } from "./kiosk/use-standing.ts";
import type { Pairing } from "./pairing/pairing.ts";
import { Showing } from "./Showing.tsx";
import type { DisplaySession } from "./session/display-session.ts";
import { Revoked, Suspended } from "./session/Revoked.tsx";
import { Starting } from "./session/Starting.tsx";

/** Needed once in a screen's life. */
const PairingScreen = lazy(() => import("./pairing/PairingScreen.tsx"));

export interface WallProps {
  readonly session: DisplaySession;
  readonly pairing: Pairing;
  readonly fetcher: Fetch;
  /** Overrides the settings; see `prescribed-turn.ts`. */
  readonly turnMs: number | null;
}

/** Render a wall screen: pairing, showing a farm, or access revoked. */
export function Wall({ session, pairing, fetcher, turnMs }: WallProps) {
  const state = useStore(session.store);
  useWallScreen();
  useEffect(
    () =>
      watchIdleBuild({
        at: state.at,
        pairing: pairing.store,
        timers: systemTimers,
        check: () => reloader.whenNewer(BUILD),
      }),
    [state.at, pairing],
  );
  switch (state.at) {
    case "starting":
      return <Starting unreachable={state.unreachable} />;
    case "unpaired":
      return (
        <Suspense fallback={null}>
          <PairingScreen pairing={pairing} />
        </Suspense>
      );
    case "suspended":
      return <Suspended />;
    case "revoked":
      return <Revoked onAgain={session.forget} />;
    case "showing":
      return <Showing key={state.token} session={session} shown={state} fetcher={fetcher} turnMs={turnMs} />;
  }
}
