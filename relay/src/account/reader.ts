import type { Actor } from "@mulkko/shared/live/devices";
import { type ApiTimeZone, createApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { FastifyRequest } from "fastify";
import type { ProvenAccount, TokenProofs } from "../access/token-prover.ts";
import { actorOf, callerOf, type DisplayGrant, type Trust } from "../http/caller.ts";
import type { AccountViews, Viewer } from "./viewing.ts";

/** A reader: a user with a token of their own, or a display of the account, which has none (HS-2). */
export type Reader = { readonly account: ProvenAccount; readonly actor: Actor } & (
  | { readonly display: null; readonly token: string }
  | { readonly display: DisplayGrant; readonly token?: undefined }
);

/**
 * Return the caller of a route that a display may use; a display's token was proven before.
 *
 * @throws RelayError as `callerOf`
 */
export async function readerOf(request: FastifyRequest, prover: TokenProofs, trust?: Trust): Promise<Reader> {
  const { display } = request;
  if (display) {
    const actor = { id: `display:${display.id}`, nickname: display.name };
    return { account: display.account, display, actor };
  }
  const { account, token } = await callerOf(request, prover, trust);
  return { account, token, display: null, actor: actorOf(account) };
}

/** Access of displays to the state of their account. */
export interface DisplayViews {
  /**
   * Return a viewer of the display's account, without any user's token. Rejects with an `UpstreamError` if
   * the relay has no session of its own for the account (CRED-1).
   */
  view(display: DisplayGrant): Promise<Viewer>;
}

/** Return the reader's view of the account; a display sees its farms only. */
export const viewOf = (
  reader: Reader,
  owners: Pick<AccountViews, "view">,
  displays: DisplayViews,
): Promise<Viewer> =>
  reader.display ? displays.view(reader.display) : owners.view(reader.account, reader.token);

/** Return the account's time zone; the API's zone when the account has none or names an unknown one. */
export function accountZone(timezone: string | null | undefined, apiTimezone: string): ApiTimeZone {
  try {
    return createApiTimeZone(timezone || apiTimezone);
  } catch {
    return createApiTimeZone(apiTimezone);
  }
}
