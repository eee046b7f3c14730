/** The words that stand under each other when everything runs. */
export const banner = (url: string, hasDemo: boolean): string => {
  const accounts = hasDemo
    ? ["", "Sign in as farmer, neighbor or admin; the password is mulkko2026!"]
    : ["", "There is no demo farm: sign in with an account of your own."];
  const lines = ["Mulkko 물꼬 is running", "", url, ...accounts, "", "Ctrl-C stops it."];
  return [
    "",
    "─".repeat(72),
    ...lines.map((line) => (line === "" ? "" : `  ${line}`)),
    "─".repeat(72),
    "",
  ].join("\n");
};
