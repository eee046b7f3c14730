/**
 * Ways to sign in: the demo's accounts, the code of an empty installation, or an account of the user's own.
 */
export type WayIn =
  | { readonly kind: "demo"; readonly password: string; readonly host: string | undefined }
  | { readonly kind: "set-up"; readonly code: string }
  | { readonly kind: "account" };

const wayInLines = (wayIn: WayIn): string[] => {
  switch (wayIn.kind) {
    case "demo":
      return [
        `Log in as farmer, neighbor or admin. The password is ${wayIn.password}`,
        "",
        ...(wayIn.host === "127.0.0.1"
          ? ["Only this machine reaches the demo. For phones and devices: HOST=0.0.0.0", ""]
          : []),
      ];
    case "set-up":
      return [
        "There is no account yet. Open the page and create the first administrator",
        `with this setup code:  ${wayIn.code}`,
        "",
      ];
    case "account":
      return [];
  }
};

/** Return the lines that are printed when all processes run; the user's next step is last. */
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
