import { useEffect, useRef } from "react";

/** The page itself, within header and navigation. */
const MAIN = "main";

/** Return true if the focus is in use: an auto-focused input, a persistent chip, a dialog. */
const isBusy = (element: Element | null): boolean =>
  element?.closest(`#${MAIN}, dialog, [role="dialog"], [role="alertdialog"]`) != null;

/**
 * Move the focus to a new page, so that keyboard and screen reader start there instead of at the link or the
 * top of the document. The first page, and another search of the same one, do not move it.
 */
export function usePageFocus(pathname: string): void {
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    if (isBusy(document.activeElement)) return;
    document.getElementById(MAIN)?.focus({ preventScroll: true });
  }, [pathname]);
}
