import { relayPath } from "@mulkko/shared/rest/routes";
import type { FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import type { TokenProofs } from "../access/token-prover.ts";
import { StoreUnavailableError } from "../store/errors.ts";
import { FLEET } from "../store/shard.ts";
import type { AuditTrail } from "../upstream/audit-trail.ts";
import { NoAccessError, UpstreamError } from "../upstream/errors.ts";
import { READS } from "./call-effects.ts";
import { callerOf, isAdministrator, READ_AS } from "./caller.ts";
import { pathOf } from "./logging.ts";
import { RelayError } from "./relay-error.ts";

interface OwnTokens {
  /** Return a token of the account's own session (HS-2); rejects with a `NoAccessError` without one. */
  ownToken(accountId: string): Promise<string>;
}

export interface ReadOnlyAsOptions {
  readonly prover: TokenProofs;
  readonly owners: OwnTokens;
  readonly audit: Pick<AuditTrail, "readAs">;
}

/** The relay's own routes that may be read as another account: the content of its screens. */
const READABLE = [
  relayPath.config,
  relayPath.history,
  relayPath.alarms,
  relayPath.waterings,
  relayPath.commands,
  relayPath.settings,
  relayPath.weather,
  relayPath.watch,
];

/** Return true for a call or route that shows another account's screens without side effects. */
function isReadable({ farmCall }: FastifyRequest, path: string): boolean {
  if (farmCall !== null) return farmCall.isAccepted && farmCall.operation?.readableAs === true;
  return READABLE.some((each) => path === each || path.startsWith(`${each}/`));
}

const isOurs = (path: string): boolean => path.startsWith("/api/") || path.startsWith("/relay/");

/**
 * HS-2: lets an administrator read as another account, with `?as=` on any read of a farm. The call continues
 * with the account's own session instead of the administrator's token, so every route answers as to the
 * account itself. Writes are refused: a write with `as` would otherwise change the administrator's own farm.
 */
export const readOnlyAsPlugin = fp<ReadOnlyAsOptions>(
  async (app, { prover, owners, audit }) => {
    app.addHook("onRequest", async (request) => {
      const url = new URL(request.url, "http://relay");
      const named = url.searchParams.getAll("as");
      if (named.length === 0) return;
      if (!READS.includes(request.method)) {
        throw new RelayError(403, "forbidden", "writing as another account is not allowed");
      }
      const path = pathOf(request.url);
      if (!isOurs(path)) return;
      const [accountId = ""] = named;
      if (named.length > 1 || accountId === "" || accountId === FLEET) {
        throw new RelayError(422, "validation", "as must be the id of one account");
      }
      const { account } = await callerOf(request, prover);
      if (!isAdministrator(account)) throw new RelayError(403, "forbidden", "for administrators only");
      if (!isReadable(request, path))
        throw new RelayError(403, "forbidden", "this resource cannot be read as another account");
      if (accountId !== account.accountId) {
        const line = {
          event: "read-as",
          audit: "read-as",
          admin: account.accountId,
          account: accountId,
          path,
        };
        request.log.info(line, READ_AS);
        const token = await ownTokenOf(accountId, owners);
        audit.readAs(account.account, accountId);
        request.headers.authorization = `Bearer ${token}`;
      }
      withoutAs(request, url);
    });
  },
  { name: "read-only-as", fastify: "5.x", dependencies: ["errors", "farm-call"] },
);

async function ownTokenOf(accountId: string, owners: OwnTokens): Promise<string> {
  try {
    return await owners.ownToken(accountId);
  } catch (error) {
    if (error instanceof NoAccessError) {
      throw new RelayError(403, "forbidden", "the relay has no session of this account");
    }
    if (error instanceof StoreUnavailableError) {
      throw new RelayError(503, "store-down", "the relay's store is unavailable");
    }
    if (error instanceof UpstreamError) {
      throw new RelayError(503, "upstream-down", "the farm API is unavailable");
    }
    throw error;
  }
}

/** Remove `as`, which a foreign farm API does not know. */
function withoutAs(request: FastifyRequest, url: URL): void {
  url.searchParams.delete("as");
  request.raw.url = `${pathOf(request.url)}${url.search}`;
}
