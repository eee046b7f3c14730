import type { DisplayDoor } from "../ports/displays.ts";
import { NoAccessError } from "../upstream/errors.ts";

const none = () => Promise.reject(new NoAccessError("there are no displays here"));

/** Displays of an installation that has none. */
export const noDisplays: DisplayDoor = {
  prove: async () => ({ ok: false, why: "revoked" }),
  stands: () => false,
  attend: () => () => undefined,
  view: none,
  fleet: none,
  readToken: none,
  fleetToken: none,
  onChanged: () => () => undefined,
};
