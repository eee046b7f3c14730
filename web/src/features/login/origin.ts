import { parse } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";

/** What the redirect to /login carries: where the person wanted to be, and whether their login had expired. */
const LoginState = Type.Object({
  origin: Type.Union([Type.String(), Type.Null()]),
  expired: Type.Boolean(),
});

/** Where a login leads without an origin. */
export const HOME = "/dashboard";

/** Reads the redirect's state. An origin that is no path of this page leads home instead. */
export function readLoginState(state: unknown): { origin: string; expired: boolean } {
  const parsed = parse(LoginState, state);
  if (!parsed.ok) return { origin: HOME, expired: false };
  const { origin, expired } = parsed.value;
  const isPath = origin !== null && /^\/(?![/\\])/.test(origin) && !origin.startsWith("/log");
  return { origin: isPath ? origin : HOME, expired };
}
