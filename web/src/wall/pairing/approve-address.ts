/** Address at which a phone approves a screen. */
export interface ApproveAddress {
  /** Target of the QR code. */
  readonly href: string;
  /** Text for typing: host and path without the code. */
  readonly typed: string;
  /** True if only this machine can open it. */
  readonly loopback: boolean;
}

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

const isLoopback = (href: string): boolean => LOOPBACK.test(new URL(href).hostname);

/** `URL.canParse` is missing in the browsers of older televisions. */
function isAddress(text: string): boolean {
  try {
    return new URL(text).host !== "";
  } catch {
    return false;
  }
}

/**
 * Choose the address for a screen's QR code: the installation's public address or the screen's own, depending
 * on which one a phone can open. A control-room computer often opens `localhost`.
 *
 * @param origin of the screen's own page
 */
export function approveAddress(
  { approvePath, approveUrl }: { readonly approvePath: string; readonly approveUrl: string | null },
  origin: string,
): ApproveAddress {
  const own = new URL(approvePath, origin).href;
  const known = approveUrl !== null && isAddress(approveUrl) ? [approveUrl, own] : [own];
  const href = known.find((each) => !isLoopback(each)) ?? own;
  const { host, pathname } = new URL(href);
  return { href, typed: host + pathname, loopback: isLoopback(href) };
}
