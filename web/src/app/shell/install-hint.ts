/** Local storage key: the hint has been shown in this browser. */
export const INSTALL_HINT_KEY = "mulkko.installHint";

/**
 * Return true if the page can be added to the home screen only by hand: Apple's phones and tablets never
 * offer it. Their tablets identify as a Macintosh, which has no touch screen. Only Safari has `standalone`, which is
 * true for a page opened from the home screen.
 *
 * @param shown true if the hint was shown before
 */
export function wantsInstallHint(
  browser: Pick<Navigator, "userAgent" | "maxTouchPoints">,
  shown: boolean,
): boolean {
  const { userAgent, maxTouchPoints } = browser;
  const handheld = /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
  return handheld && "standalone" in browser && browser.standalone === false && !shown;
}

/** Return true if the hint was shown in this browser before. */
export const isInstallHintShown = (): boolean => localStorage.getItem(INSTALL_HINT_KEY) !== null;
