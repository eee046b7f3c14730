import type { DisplayAuth } from "../src/displays/display-auth.ts";
import { NoAccessError } from "../src/upstream/errors.ts";

const none = () => Promise.reject(new NoAccessError("there are no displays here"));

/** The displays of an installation without any. */
export const noDisplays: DisplayAuth = {
  prove: async () => ({ ok: false, why: "revoked" }),
  isCurrent: () => false,
  attend: () => () => undefined,
  view: none,
  fleet: none,
  readToken: none,
  fleetToken: none,
  onChanged: () => () => undefined,
};
