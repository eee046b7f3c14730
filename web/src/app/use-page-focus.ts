import { useEffect, useRef } from "react";

/** The page itself, within header and navigation. */
const MAIN = "main";

/** Where somebody is busy already: a field of the page that took the focus itself, a chip that stays, a dialog. */
const isBusy = (element: Element | null): boolean =>
  element?.closest(`#${MAIN}, dialog, [role="dialog"], [role="alertdialog"]`) != null;

/**
 * After another page has come, the keyboard and the screen reader begin at it, not at the link that led there or at
 * the top of the document. The first page, and another search of the same one, move nothing.
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
