/** Browser and system in a session's user agent; null where it contains no known name. */
export interface SignedInDevice {
  readonly browser: string | null;
  readonly system: string | null;
}

/** In the order of detection: most browsers also include the names of others. */
const BROWSERS: readonly (readonly [string, RegExp])[] = [
  ["Edge", /\bEdgA?\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Whale", /\bWhale\//],
  ["KakaoTalk", /\bKAKAOTALK\b/],
  ["Opera", /\bOPR\//],
  ["Firefox", /\b(Firefox|FxiOS)\//],
  ["Chrome", /\b(Chrome|CriOS|HeadlessChrome)\//],
  ["Safari", /\bSafari\//],
  ["Mulkko", /^Mulkko\b/i],
];

const SYSTEMS: readonly (readonly [string, RegExp])[] = [
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Android", /\bAndroid\b/],
  ["Windows", /\bWindows\b/],
  ["Mac", /\bMacintosh\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Linux", /\bLinux\b/],
];

/** Return the proper names of browser and system, which are the same in every language. */
export function signedInDevice(userAgent: string): SignedInDevice {
  const first = (names: readonly (readonly [string, RegExp])[]) =>
    names.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? null;
  return { browser: first(BROWSERS), system: first(SYSTEMS) };
}
