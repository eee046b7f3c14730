import "./wall-background.css";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { LostLink } from "../components/scenes/lost-link.tsx";
import { PaddiesAtDawn } from "../components/scenes/paddies-at-dawn.tsx";
import { useDrift } from "./kiosk/use-drift.ts";
import { useViewport, useWallFactor } from "./use-viewport.ts";

/** A remote control has one confirm key and no pointer. */
const focus = (button: HTMLButtonElement | null) => button?.focus();

/** Show that the screen's account is suspended: no farm data, no controls. */
export function Suspended() {
  const { t } = useTranslation("wall");
  return (
    <WallBackground scene={<LostLink align="xMidYMid" />}>
      <h1 className="wall-background__title">{t("suspended.title")}</h1>
      <p className="wall-background__text">{t("suspended.text")}</p>
    </WallBackground>
  );
}

/** Show that the screen's token was revoked, without any farm data. */
export function Revoked({ onAgain }: { onAgain: () => void }) {
  const { t } = useTranslation("wall");
  return (
    <WallBackground scene={<LostLink align="xMidYMid" />}>
      <h1 className="wall-background__title">{t("revoked.title")}</h1>
      <p className="wall-background__text">{t("revoked.text")}</p>
      <button type="button" className="wall-button" onClick={onAgain} ref={focus}>
        {t("revoked.again")}
      </button>
    </WallBackground>
  );
}

/** Window size that the scenes are designed for, CSS px, and the minimum scale on a smaller one. */
const DRAWN = { width: 1920, height: 1080 } as const;
const LEAST = 0.45;

/** A scene with a panel over it, for a screen without a farm to show. */
export function WallBackground({ scene, children }: { scene: ReactNode; children: ReactNode }) {
  const { width, height } = useViewport();
  useWallFactor(Math.max(LEAST, Math.min(width / DRAWN.width, height / DRAWN.height)));
  const drift = useDrift();
  return (
    <main className="wall-background">
      <div className="wall-background__scene" style={drift}>
        {scene}
      </div>
      <div className="wall-background__panel" style={drift}>
        {children}
      </div>
    </main>
  );
}

/** Waiting screen until the settings are known; the relay is polled forever. */
export function Starting({ unreachable }: { unreachable: boolean }) {
  const { t } = useTranslation("wall");
  return (
    <WallBackground scene={<PaddiesAtDawn align="xMidYMid" />}>
      <h1 className="wall-background__title">{t("starting")}</h1>
      <p className="wall-background__text" role="status">
        {unreachable && t("pairing.unreachable")}
      </p>
    </WallBackground>
  );
}
