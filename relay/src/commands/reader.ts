import type { Actor } from "@mulkko/shared/live/devices";
import type { FastifyRequest } from "fastify";
import type { DisplayDoor, DisplayGrant } from "../ports/displays.ts";
import type { Owners, Viewer } from "../ports/owners.ts";
import type { ProvenAccount, TokenProver } from "../ports/tokens.ts";
import { actorOf, callerOf } from "./caller.ts";

/** Who reads: a person with a token of their own, or a display of the account's, which has none (HS-2). */
export type Reader = { readonly account: ProvenAccount; readonly actor: Actor } & (
  | { readonly display: null; readonly token: string }
  | { readonly display: DisplayGrant; readonly token?: undefined }
);

/**
 * Who calls one of the routes that a display may use; its token was proven at the gate.
 *
 * @throws RelayError as `callerOf`
 */
export async function readerOf(request: FastifyRequest, prover: Pick<TokenProver, "prove">): Promise<Reader> {
  const { display } = request;
  if (display) {
    const actor = { id: `display:${display.id}`, nickname: display.name };
    return { account: display.account, display, actor };
  }
  const { account, token } = await callerOf(request, prover);
  return { account, token, display: null, actor: actorOf(account) };
}

/** What the reader may see of the account: of a display, what its farms have. */
export const viewOf = (
  reader: Reader,
  owners: Pick<Owners, "view">,
  displays: Pick<DisplayDoor, "view">,
): Promise<Viewer> =>
  reader.display ? displays.view(reader.display) : owners.view(reader.account, reader.token);

/** Every value of a view, by key. */
export function stateOf(viewer: Pick<Viewer, "devices">) {
  const found = viewer.devices.changesSince(undefined);
  return found.kind === "snapshot" ? found.state : {};
}
