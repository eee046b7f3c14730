/** How a person gets in: the demo's accounts, the code of an empty installation, or an account of their own. */
export type WayIn =
  | { readonly kind: "demo" }
  | { readonly kind: "set-up"; readonly code: string }
  | { readonly kind: "account" };

const wayInLines = (wayIn: WayIn): string[] => {
  switch (wayIn.kind) {
    case "demo":
      return ["Sign in as farmer, neighbor or admin; the password is mulkko2026!", ""];
    case "set-up":
      return [
        "There is no account yet. Open the page, and make the first administrator",
        `with this set-up code:  ${wayIn.code}`,
        "",
      ];
    case "account":
      return [];
  }
};

/** The words that stand under each other when everything runs; what a person needs next is last. */
export const banner = (url: string, wayIn: WayIn): string => {
  const lines = ["Mulkko 물꼬 is running. Ctrl-C stops it.", "", ...wayInLines(wayIn), url];
  return [
    "",
    "─".repeat(72),
    ...lines.map((line) => (line === "" ? "" : `  ${line}`)),
    "─".repeat(72),
    "",
  ].join("\n");
};
