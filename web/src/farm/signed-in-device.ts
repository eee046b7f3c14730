/** What a session's user agent tells of the device; null where it tells nothing that a person knows. */
export interface SignedInDevice {
  readonly browser: string | null;
  readonly system: string | null;
}

/** In the order in which they are looked for: most browsers also bear the names of others. */
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

/** Browser and system by their proper names, which are the same in every language. */
export function signedInDevice(userAgent: string): SignedInDevice {
  const first = (names: readonly (readonly [string, RegExp])[]) =>
    names.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? null;
  return { browser: first(BROWSERS), system: first(SYSTEMS) };
}
