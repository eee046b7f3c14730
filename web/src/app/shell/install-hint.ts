/** Local storage key: the hint has been shown in this browser. */
export const INSTALL_HINT_KEY = "mulkko.installHint";

/** Properties of a browser. */
export interface BrowserFacts {
  readonly userAgent: string;
  /** Maximum number of simultaneous touches. */
  readonly touchPoints: number;
  /** Apple's property for a page opened from the home screen; undefined in other browsers. */
  readonly standalone: boolean | undefined;
  /** True if the hint was shown before. */
  readonly shown: boolean;
}

/**
 * Return true if the page can be added to the home screen only by hand: Apple's phones and tablets never
 * offer it. Their tablets identify as a Macintosh, which has no touch screen. Only Safari has `standalone`.
 */
export function wantsInstallHint({ userAgent, touchPoints, standalone, shown }: BrowserFacts): boolean {
  const handheld = /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && touchPoints > 1);
  return handheld && standalone === false && !shown;
}

/** Return the properties of this browser. */
export function browserFacts(): BrowserFacts {
  const standalone: unknown = "standalone" in navigator ? navigator.standalone : undefined;
  return {
    userAgent: navigator.userAgent,
    touchPoints: navigator.maxTouchPoints,
    standalone: typeof standalone === "boolean" ? standalone : undefined,
    shown: localStorage.getItem(INSTALL_HINT_KEY) !== null,
  };
}
