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

/**
 * Return browser and system of a user agent by their proper names, which are the same in every language: `Chrome ·
 * Windows`. Empty where it contains no known name.
 */
export const deviceName = (userAgent: string): string =>
  [BROWSERS, SYSTEMS]
    .flatMap((names) => names.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? [])
    .join(" · ");
