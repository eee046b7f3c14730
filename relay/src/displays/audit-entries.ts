import type { RelayAuditEntry } from "@mulkko/shared/rest/admin";
import type { DisplaySettings } from "@mulkko/shared/rest/displays";

/** The change of a display that an audit records: paired, changed or revoked. */
export type DisplayAuditEntry = { readonly display: string } & (
  | { readonly action: "display-pair"; readonly before?: undefined; readonly after: DisplaySettings }
  | { readonly action: "display-change"; readonly before: DisplaySettings; readonly after: DisplaySettings }
  | { readonly action: "display-revoke"; readonly before: DisplaySettings; readonly after?: undefined }
);

type AuditValues = NonNullable<RelayAuditEntry["after"]>;

/** Return a display's settings as an audit shows them: one line of text each. */
export function auditValues(settings: DisplaySettings): AuditValues {
  const { farms, pages, tiles, night, sound, turnSeconds, diagonalInches, distanceMetres, ...plain } =
    settings;
  return {
    ...plain,
    pages: pages.join(", "),
    turnSeconds: `${turnSeconds}`,
    diagonalInches: `${diagonalInches}`,
    distanceMetres: `${distanceMetres}`,
    sound: sound ? "on" : "off",
    ...(farms && { farms: farms.join(", ") }),
    ...(tiles && { tiles: tiles.join(", ") }),
    ...(night && { night: `${night.from}–${night.to}` }),
  };
}
