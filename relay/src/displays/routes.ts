import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import {
  ApprovedCode,
  ChangedDisplay,
  type Display,
  type DisplayList,
  type DisplaySettings,
  type OwnDisplay,
  type PairingAnswer,
  type PairingCode,
  PairingProof,
  type PendingCode,
} from "@mulkko/shared/rest/displays";
import { relayPath } from "@mulkko/shared/rest/routes";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import Type, { type Static } from "typebox";
import { type Caller, callerOf } from "../commands/caller.ts";
import { accountZone } from "../core/account-zone.ts";
import { createKeyedRate } from "../core/keyed-rate.ts";
import { isAdministrator } from "../gateway/administrator.ts";
import { addressGroup } from "../gateway/connection-limit.ts";
import { RelayError } from "../plugins/relay-error.ts";
import type { AuditTrail } from "../ports/audit.ts";
import type { Owners } from "../ports/owners.ts";
import type { TokenProver } from "../ports/tokens.ts";
import { StoreUnavailableError } from "../store/errors.ts";
import { type DisplayDeed, deedValues } from "./deeds.ts";
import type { DisplayDesk } from "./display-desk.ts";
import { accountIdOf, type DisplayRecord } from "./display-record.ts";
import { DISPLAY_LIMITS } from "./limits.ts";
import { addedFarms, settingsFault, tidied } from "./settings-rules.ts";

export interface DisplayRoutesOptions {
  readonly desk: DisplayDesk;
  readonly owners: Pick<Owners, "view" | "viewAs">;
  readonly prover: Pick<TokenProver, "prove">;
  readonly audit: Pick<AuditTrail, "record">;
  readonly clock: Clock;
  readonly apiTimezone: string;
  /** Where people open the pages, without a slash at its end; null where it is not configured. */
  readonly publicUrl: string | null;
}

const BODY_BYTES = 16 * 1024;
const WithId = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) });
const WithCode = Type.Object({ code: Type.String({ minLength: 1, maxLength: 32 }) });
/** A path's placeholder goes through the contract's own path as it is. */
const ID = ":id";
const displayPath = relayPath.display(ID).replace(encodeURIComponent(ID), ID);
const CODE = ":code";
const codePath = relayPath.displayCode(CODE).replace(encodeURIComponent(CODE), CODE);

const noCode = () => new RelayError(404, "not-found", "no screen waits with this code");
const noDisplay = () => new RelayError(404, "not-found", "no such display");

/** `/relay/displays`: pairing a screen by code, and minding those that are paired; `/relay/display` is a screen's own. */
export const displaysPlugin = fp<DisplayRoutesOptions>(
  async (plain, { desk, owners, prover, audit, clock, apiTimezone, publicUrl }) => {
    const app = plain.withTypeProvider<TypeBoxTypeProvider>();
    const { windowMs, counted } = DISPLAY_LIMITS;
    const codes = createKeyedRate(DISPLAY_LIMITS.codesPerAddress, windowMs, counted);
    const byAddress = createKeyedRate(DISPLAY_LIMITS.guessesPerAddress, windowMs, counted);
    const polls = createKeyedRate(DISPLAY_LIMITS.pollsPerAddress, DISPLAY_LIMITS.pollWindowMs, counted);

    const tooMany = () => new RelayError(429, "too-many-requests", "too many at once, try again later");
    const admit = (rate: typeof codes, key: string): void => {
      if (!rate.admit(key, clock.monotonic())) throw tooMany();
    };
    const addressOf = (request: FastifyRequest): string => addressGroup(request.ip);
    /**
     * Whoever names a code: a guess, until it is known that it is none. Of an address this node's are counted before it
     * is asked who that is; those of all nodes once somebody has signed in, so that nobody else fills the store.
     */
    const guesser = async (request: FastifyRequest): Promise<Caller> => {
      const address = addressOf(request);
      admit(byAddress, address);
      const caller = await callerOf(request, prover);
      if (!(await kept(desk.mayGuess(address, caller.account.accountId)))) throw tooMany();
      return caller;
    };
    /** @throws RelayError 404 where the display is neither the caller's own nor the caller an administrator */
    const mindedBy = ({ account }: Caller, id: string): DisplayRecord => {
      const record = desk.record(id);
      const isOwn = record !== undefined && accountIdOf(record) === account.accountId;
      if (record === undefined || !(isOwn || isAdministrator(account))) throw noDisplay();
      return record;
    };
    /** @throws RelayError 422, or 503 where the account's farms cannot be read */
    const check = async (settings: DisplaySettings, caller: Caller, record?: DisplayRecord) => {
      const isOwn = record === undefined || accountIdOf(record) === caller.account.accountId;
      const role = isOwn ? caller.account.account.userType : record.account.userType;
      const read = async () => {
        const viewer = isOwn
          ? await owners.view(caller.account, caller.token)
          : await owners.viewAs(accountIdOf(record));
        const found = viewer.devices.changesSince(undefined);
        viewer.release();
        return found.kind === "snapshot" ? found.state : {};
      };
      const state = addedFarms(settings, record?.settings).length === 0 ? {} : await read();
      const fault = settingsFault(settings, state, role ?? null, record?.settings);
      if (fault) throw new RelayError(422, "validation", `${fault.field} ${fault.defaultMessage}`, [fault]);
    };
    /** What an administrator did stands in the farm API's audit too, where it takes it. */
    const note = (request: FastifyRequest, { account }: Caller, deed: DisplayDeed): void => {
      const { action, display, before, after } = deed;
      request.log.info(
        { audit: action, by: account.accountId, display, before, after },
        "a display was paired, changed or revoked",
      );
      if (!isAdministrator(account)) return;
      audit.record({
        actor: { id: account.account.id, username: account.account.username },
        action,
        subject: { kind: "display", id: display, name: (after ?? before).name },
        ...(before && { before: deedValues(before) }),
        ...(after && { after: deedValues(after) }),
      });
    };

    app.post(
      relayPath.displayCodes,
      { bodyLimit: BODY_BYTES },
      async (request, reply): Promise<PairingCode> => {
        admit(codes, addressOf(request));
        const agent = String(request.headers["user-agent"] ?? "").slice(0, DISPLAY_LIMITS.agent);
        const code = await kept(desk.askCode(agent, request.ip));
        if (!code) throw new RelayError(429, "too-many-requests", "as many screens wait as may");
        reply.header("cache-control", "no-store").code(201);
        return { ...code, approveUrl: publicUrl === null ? null : publicUrl + code.approvePath };
      },
    );
    app.post(
      relayPath.displayToken,
      { bodyLimit: BODY_BYTES, schema: { body: PairingProof } },
      async (request, reply): Promise<PairingAnswer> => {
        admit(polls, addressOf(request));
        reply.header("cache-control", "no-store");
        return kept(desk.collect(request.body.deviceCode));
      },
    );
    app.get(codePath, { schema: { params: WithCode } }, async (request, reply): Promise<PendingCode> => {
      await guesser(request);
      const pending = await kept(desk.pending(request.params.code));
      if (!pending) throw noCode();
      reply.header("cache-control", "no-store");
      return pending;
    });
    app.post(
      relayPath.displays,
      { bodyLimit: BODY_BYTES, schema: { body: ApprovedCode } },
      async (request, reply): Promise<Display> => {
        const caller = await guesser(request);
        const { code } = request.body;
        const settings = tidied(request.body.settings);
        await check(settings, caller);
        const approval = await kept(desk.approve(code, settings, caller.account.account));
        if (!approval.ok) {
          if (approval.why === "no-code") throw noCode();
          const { perAccount } = DISPLAY_LIMITS;
          throw new RelayError(409, "conflict", `an account has at most ${perAccount} displays`);
        }
        note(request, caller, { action: "display-pair", display: approval.display.id, after: settings });
        reply.code(201);
        return approval.display;
      },
    );
    app.get(relayPath.displays, async (request, reply): Promise<Static<typeof DisplayList>> => {
      const { account } = await callerOf(request, prover);
      await kept(desk.refresh(account.account));
      reply.header("cache-control", "no-store");
      return { displays: await kept(desk.list(isAdministrator(account) ? null : account.accountId)) };
    });
    app.put(
      displayPath,
      { bodyLimit: BODY_BYTES, schema: { params: WithId, body: ChangedDisplay } },
      async (request): Promise<Display> => {
        const caller = await callerOf(request, prover);
        const settings = tidied(request.body.settings);
        const record = mindedBy(caller, request.params.id);
        await check(settings, caller, record);
        const changed = await kept(desk.change(record, settings));
        if (!changed) throw noDisplay();
        const before = record.settings;
        note(request, caller, { action: "display-change", display: record.id, before, after: settings });
        return changed;
      },
    );
    app.delete(displayPath, { schema: { params: WithId } }, async (request, reply) => {
      const caller = await callerOf(request, prover);
      const { id, settings: before } = mindedBy(caller, request.params.id);
      if (!(await kept(desk.revoke(id)))) throw noDisplay();
      note(request, caller, { action: "display-revoke", display: id, before });
      return reply.code(204).send();
    });
    app.get(
      relayPath.ownDisplay,
      { config: { display: "read" } },
      async (request, reply): Promise<OwnDisplay> => {
        const record = request.display ? desk.record(request.display.id) : undefined;
        if (record === undefined) throw new RelayError(401, "unauthorized", "a display's token is needed");
        reply.header("cache-control", "no-store");
        const { zone } = accountZone(record.account.timezone, apiTimezone);
        return { display: await kept(desk.shown(record)), zone };
      },
    );
  },
  { name: "displays", fastify: "5.x", dependencies: ["errors", "display-gate"] },
);

/** @throws RelayError 503 where the store is away */
async function kept<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    throw new RelayError(503, "store-down", "displays cannot be kept or read now");
  }
}
