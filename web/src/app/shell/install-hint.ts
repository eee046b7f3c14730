/** Local storage key: the hint has been shown in this browser. */
export const INSTALL_HINT_KEY = "mulkko.installHint";

/** What a browser says of itself. */
export interface BrowserFacts {
  readonly userAgent: string;
  /** Fingers that the screen can tell apart. */
  readonly touchPoints: number;
  /** Apple's own word for a page that was opened from the home screen; undefined in other browsers. */
  readonly standalone: boolean | undefined;
  /** The hint was shown before. */
  readonly shown: boolean;
}

/**
 * True where the page can be put on the home screen, but only by hand: Apple's phones and tablets never offer it.
 * Their tablets call themselves a Macintosh, which has no touch screen. Only Safari has `standalone`.
 */
export function wantsInstallHint({ userAgent, touchPoints, standalone, shown }: BrowserFacts): boolean {
  const handheld = /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && touchPoints > 1);
  return handheld && standalone === false && !shown;
}

/** The facts of this browser. */
export function browserFacts(): BrowserFacts {
  const standalone: unknown = "standalone" in navigator ? navigator.standalone : undefined;
  return {
    userAgent: navigator.userAgent,
    touchPoints: navigator.maxTouchPoints,
    standalone: typeof standalone === "boolean" ? standalone : undefined,
    shown: localStorage.getItem(INSTALL_HINT_KEY) !== null,
  };
}
