import { parse } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";

/** State of the redirect to /login: the requested page, and a flag for an expired login. */
const LoginState = Type.Object({
  origin: Type.Union([Type.String(), Type.Null()]),
  expired: Type.Boolean(),
});

/** Target of a login without an origin: the start page of the user's role. */
export const HOME = "/";

/** Parse the redirect's state. An origin that is not a path of this client is replaced by the home page. */
export function readLoginState(state: unknown): { origin: string; expired: boolean } {
  const parsed = parse(LoginState, state);
  if (!parsed.ok) return { origin: HOME, expired: false };
  const { origin, expired } = parsed.value;
  const isPath = origin !== null && /^\/(?![/\\])/.test(origin) && !origin.startsWith("/log");
  return { origin: isPath ? origin : HOME, expired };
}
