import { apiPath, relayPath } from "@mulkko/shared/rest/routes";
import type { FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { callerOf } from "../commands/caller.ts";
import { FLEET } from "../fleet/fleet-id.ts";
import { isAdministrator, READ_AS } from "../gateway/administrator.ts";
import type { AuditTrail } from "../ports/audit.ts";
import type { Owners } from "../ports/owners.ts";
import type { TokenProver } from "../ports/tokens.ts";
import { StoreUnavailableError } from "../store/errors.ts";
import { NoAccessError, UpstreamError } from "../upstream/errors.ts";
import { pathOf } from "./logging.ts";
import { RelayError } from "./relay-error.ts";

export interface ReadOnlyAsOptions {
  readonly prover: Pick<TokenProver, "prove">;
  readonly owners: Pick<Owners, "ownToken">;
  readonly audit: Pick<AuditTrail, "readAs">;
}

const READS = ["GET", "HEAD", "OPTIONS"];

/** What of a farm may be read as another account: what its screens show, and nothing that does something. */
const READABLE = [
  apiPath.accountInfo,
  apiPath.notifications,
  apiPath.clusters,
  apiPath.deviceProfiles,
  "/api/v1/sensor",
  apiPath.controllers,
  relayPath.config,
  relayPath.history,
  relayPath.alarms,
  relayPath.waterings,
  relayPath.commands,
  relayPath.settings,
  relayPath.weather,
  relayPath.watch,
];

/** What the farm API would take for a step up in a path. */
const CLIMBS = /\.\.|%2e|\\/i;

const isReadable = (path: string): boolean =>
  !CLIMBS.test(path) && READABLE.some((each) => path === each || path.startsWith(`${each}/`));

const isOurs = (path: string): boolean => path.startsWith("/api/") || path.startsWith("/relay/");

/**
 * HS-2: an administrator reads as another account, `?as=` beside any read of a farm. The call goes on with the
 * account's own session in the place of the administrator's token, so that every route answers as to the account
 * itself. Nothing is written as somebody else: whoever named an account beside a write would otherwise write to their
 * own farm, and believe that it was the other.
 */
export const readOnlyAsPlugin = fp<ReadOnlyAsOptions>(
  async (app, { prover, owners, audit }) => {
    app.addHook("onRequest", async (request) => {
      const url = new URL(request.url, "http://relay");
      const named = url.searchParams.getAll("as");
      if (named.length === 0) return;
      if (!READS.includes(request.method)) {
        throw new RelayError(403, "forbidden", "as another account nothing is written");
      }
      const path = pathOf(request.url);
      if (!isOurs(path)) return;
      const [accountId = ""] = named;
      if (named.length > 1 || accountId === "" || accountId === FLEET) {
        throw new RelayError(422, "validation", "as is the id of one account");
      }
      const { account } = await callerOf(request, prover);
      if (!isAdministrator(account)) throw new RelayError(403, "forbidden", "for administrators only");
      if (!isReadable(path)) throw new RelayError(403, "forbidden", "not to be read as another account");
      if (accountId !== account.accountId) {
        const line = { audit: "read-as", admin: account.accountId, account: accountId, path };
        request.log.info(line, READ_AS);
        const token = await ownTokenOf(accountId, owners);
        audit.readAs(account.account, accountId);
        request.headers.authorization = `Bearer ${token}`;
      }
      withoutAs(request, url);
    });
  },
  { name: "read-only-as", fastify: "5.x", dependencies: ["errors"] },
);

async function ownTokenOf(accountId: string, owners: Pick<Owners, "ownToken">): Promise<string> {
  try {
    return await owners.ownToken(accountId);
  } catch (error) {
    if (error instanceof NoAccessError) {
      throw new RelayError(403, "forbidden", "the relay has no session of this account's");
    }
    if (error instanceof StoreUnavailableError) {
      throw new RelayError(503, "store-down", "the relay's store is away");
    }
    if (error instanceof UpstreamError) {
      throw new RelayError(503, "upstream-down", "the farm API cannot be reached");
    }
    throw error;
  }
}

/** A farm API that is not ours knows nothing of `as`. */
function withoutAs(request: FastifyRequest, url: URL): void {
  url.searchParams.delete("as");
  request.raw.url = `${pathOf(request.url)}${url.search}`;
}
