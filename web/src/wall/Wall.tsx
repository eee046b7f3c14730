import { systemTimers } from "@mulkko/shared/rules/clock";
import { type CSSProperties, lazy, Suspense, useEffect, useMemo, useState } from "react";
import { useStore } from "zustand";
import { createRestClient, watchAnswers } from "../api/client.ts";
import { ClientContext } from "../api/hooks.ts";
import type { Fetch } from "../api/http.ts";
import { changeLanguage } from "../i18n/translations.ts";
import { LiveProvider } from "../live/hooks.ts";
import { BUILD } from "../live/stale-build.ts";
import { prescribeColorMode } from "../theme/color-mode.ts";
import { watchIdleBuild } from "./kiosk/idle-build.ts";
import { reloader } from "./kiosk/page-reloader.ts";
import { useWallScreen } from "./kiosk/use-wall-screen.ts";
import { createWallClient, tokensOf } from "./live-wall.ts";
import type { Pairing } from "./pairing/pairing.ts";
import { Surface } from "./Surface.tsx";
import type { DisplaySession, DisplayState } from "./session/display-session.ts";
import { isNarrow, isTight, screenFactor } from "./sizes.ts";
import { useViewport, useWallFactor } from "./use-viewport.ts";
import { Revoked, Starting, Suspended } from "./WallBackground.tsx";
import { WallContext, type WallPlace, wallTexts } from "./wall-context.ts";

/** Size of a chart's axis texts, px of the drawn screen. */
const CHART_PX = 32;
/** Line width factor of charts, relative to a desktop reader. */
const CHART_LINES = 2;

interface WallProps {
  readonly session: DisplaySession;
  readonly pairing: Pairing;
  readonly fetcher: Fetch;
  /** Overrides the settings in a soak test. */
  readonly turnMs: number | null;
}

interface WallPagesProps extends Omit<WallProps, "pairing"> {
  readonly shown: Extract<DisplayState, { at: "showing" }>;
}

/** Connect a paired screen with its own token and show the settings chosen for it. */
function WallPages({ session, shown, fetcher, turnMs }: WallPagesProps) {
  const { token, zone } = shown;
  const { settings } = shown.display;
  const [tokens] = useState(() => tokensOf(session, token));
  const [live] = useState(() => createWallClient(tokens));
  const [client] = useState(() => {
    const access = { accessToken: () => token, refresh: () => session.prove().then(() => null) };
    return watchAnswers(createRestClient(access, fetcher), live.connection);
  });
  const viewport = useViewport();
  const factor = screenFactor(settings, viewport);
  const tight = isTight(factor, viewport);
  const narrow = isNarrow(factor, viewport);
  useWallFactor(factor);
  const wall = useMemo<WallPlace>(
    () => ({ settings, texts: wallTexts(settings.language, zone), factor, tight, narrow }),
    [settings, zone, factor, tight, narrow],
  );
  useEffect(() => prescribeColorMode(settings.colorMode), [settings.colorMode]);
  useEffect(() => {
    // If the translations fail to load, the loaded ones stay.
    void changeLanguage(settings.language).catch(() => undefined);
  }, [settings.language]);
  useEffect(() => {
    document.title = settings.name;
  }, [settings.name]);
  const style: CSSProperties & Record<`--chart-${string}`, string> = {
    "--chart-font-size": `${Math.round(CHART_PX * factor)}px`,
    "--chart-line-scale": `${CHART_LINES * factor}`,
  };
  return (
    <WallContext value={wall}>
      <ClientContext value={client}>
        <LiveProvider tokens={tokens} client={live}>
          <div className="wall" style={style} data-tight={tight} data-narrow={narrow}>
            <Surface session={session} turnMs={turnMs} />
          </div>
        </LiveProvider>
      </ClientContext>
    </WallContext>
  );
}

/** Needed once in a screen's life. */
const PairingScreen = lazy(() => import("./pairing/PairingScreen.tsx"));

/** Render a wall screen: pairing, showing a farm, or access revoked. */
export function Wall({ session, pairing, fetcher, turnMs }: WallProps) {
  const state = useStore(session.store);
  useWallScreen();
  useEffect(
    () => watchIdleBuild(state.at, pairing.store, systemTimers, () => reloader.whenNewer(BUILD)),
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
      return (
        <WallPages key={state.token} session={session} shown={state} fetcher={fetcher} turnMs={turnMs} />
      );
  }
}
