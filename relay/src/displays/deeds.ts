import type { RelayDeed } from "@mulkko/shared/rest/admin";
import type { DisplaySettings } from "@mulkko/shared/rest/displays";

/** What was done to a display: paired, changed or revoked. */
export type DisplayDeed = { readonly display: string } & (
  | { readonly action: "display-pair"; readonly before?: undefined; readonly after: DisplaySettings }
  | { readonly action: "display-change"; readonly before: DisplaySettings; readonly after: DisplaySettings }
  | { readonly action: "display-revoke"; readonly before: DisplaySettings; readonly after?: undefined }
);

type DeedValues = NonNullable<RelayDeed["after"]>;

/** A display's settings as an audit shows them: a line of text for each. */
export function deedValues(settings: DisplaySettings): DeedValues {
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
