import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { RelayAuditEntry } from "@mulkko/shared/rest/admin";
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
import { relayPath, routePattern } from "@mulkko/shared/rest/routes";
import type { Clock } from "@mulkko/shared/rules/clock";
import { farmKey } from "@mulkko/shared/rules/device-keys";
import { createRateLimit, type RateLimit } from "@mulkko/shared/rules/rate-limit";
import { addressGroup } from "@mulkko/shared/server/address-group";
import type { FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import type { Static } from "typebox";
import Type from "typebox";
import type { TokenProofs } from "../access/token-prover.ts";
import type { FarmState } from "../account/farm-index.ts";
import { accountZone } from "../account/reader.ts";
import type { AccountViews } from "../account/viewing.ts";
import { type Caller, callerOf, isAdministrator } from "../http/caller.ts";
import { invalidField, orStoreDown, RelayError } from "../http/relay-error.ts";
import { accountIdOf, type DisplayRecord } from "../store/display-record.ts";
import { stateOf } from "../store/streams.ts";
import type { AuditTrail } from "../upstream/audit-trail.ts";
import type { DisplayService } from "./display-service.ts";
import { DISPLAY_LIMITS } from "./limits.ts";

/** An invalid field of the settings. */
interface SettingsFault {
  readonly field: string;
  readonly defaultMessage: string;
}

/** Return the settings without blanks around the name, and without duplicate pages and farms. */
const tidied = (settings: DisplaySettings): DisplaySettings => ({
  ...settings,
  name: settings.name.trim(),
  farms: settings.farms && [...new Map(settings.farms.map((id) => [String(id), id])).values()],
  pages: [...new Set(settings.pages)],
});

/** Return the farms that a display does not show yet; of a new one, all of its farms. */
const addedFarms = (
  { farms }: DisplaySettings,
  known?: DisplaySettings,
): NonNullable<DisplaySettings["farms"]> =>
  farms?.filter((id) => !known?.farms?.some((one) => String(one) === String(id))) ?? [];

/**
 * Return the first setting that this account may not show. Present settings are not checked, so that a
 * removed farm does not prevent a new name.
 * @param state of the display's account
 * @param role of that account; only an administrator's display shows the fleet
 * @param known the present settings; left out for a new display
 */
function settingsFault(
  settings: DisplaySettings,
  state: FarmState,
  role: string | null,
  known?: DisplaySettings,
): SettingsFault | null {
  const { pages, name } = settings;
  if (name === "") return { field: "name", defaultMessage: "name is required" };
  if (addedFarms(settings, known).some((id) => state[farmKey(id)] === undefined)) {
    return { field: "farms", defaultMessage: "the account does not have one of these farms" };
  }
  if (pages.includes("fleet") && !known?.pages.includes("fleet") && role !== "ADMIN") {
    return { field: "pages", defaultMessage: "only administrators can show all devices" };
  }
  return null;
}

/** The change of a display that an audit records: paired, changed or revoked. */
export type DisplayAuditEntry = { readonly display: string } & (
  | { readonly action: "display-pair"; readonly before?: undefined; readonly after: DisplaySettings }
  | { readonly action: "display-change"; readonly before: DisplaySettings; readonly after: DisplaySettings }
  | { readonly action: "display-revoke"; readonly before: DisplaySettings; readonly after?: undefined }
);

type AuditValues = NonNullable<RelayAuditEntry["after"]>;

/** Return a display's settings as an audit shows them: one line of text each. */
export function auditValues(settings: DisplaySettings): AuditValues {
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

export interface DisplayRoutesOptions {
  readonly service: DisplayService;
  readonly owners: Pick<AccountViews, "view" | "viewAs">;
  readonly prover: TokenProofs;
  readonly audit: Pick<AuditTrail, "record">;
  readonly clock: Clock;
  readonly apiTimezone: string;
  /** URL of the web pages, without a trailing slash; null if it is not configured. */
  readonly publicUrl: string | null;
}

const BODY_BYTES = 16 * 1024;
const WithId = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) });
const WithCode = Type.Object({ code: Type.String({ minLength: 1, maxLength: 32 }) });
const displayPath = routePattern(relayPath.display, "id");
const codePath = routePattern(relayPath.displayCode, "code");

const kept = <T>(work: Promise<T>): Promise<T> =>
  orStoreDown(work, "displays cannot be stored or read at present");
const noCode = () => new RelayError(404, "not-found", "no display is waiting with this code");
const noDisplay = () => new RelayError(404, "not-found", "no such display");

/**
 * `/relay/displays`: pair a screen by code, and manage paired displays. `/relay/display` is for the screen
 * itself.
 */
export const displaysPlugin = fp<DisplayRoutesOptions>(
  async (plain, { service, owners, prover, audit, clock, apiTimezone, publicUrl }) => {
    const app = plain.withTypeProvider<TypeBoxTypeProvider>();
    const { windowMs, counted } = DISPLAY_LIMITS;
    const codes = createRateLimit(clock, windowMs, counted);
    const byAddress = createRateLimit(clock, windowMs, counted);
    const polls = createRateLimit(clock, DISPLAY_LIMITS.pollWindowMs, counted);

    const tooMany = () =>
      new RelayError(429, "too-many-requests", "too many requests at once, try again later");
    const admit = (rate: RateLimit, key: string, limit: number): void => {
      if (rate.refuses(key, limit) !== null) throw tooMany();
    };
    const addressOf = (request: FastifyRequest): string => addressGroup(request.ip);
    /**
     * Count a request with a code as a guess, until the code is known to be valid. This node's guesses of an
     * address are counted before authentication. Those of all nodes are counted after it, so that only
     * signed-in users write to the store.
     */
    const guesser = async (request: FastifyRequest): Promise<Caller> => {
      const address = addressOf(request);
      admit(byAddress, address, DISPLAY_LIMITS.guessesPerAddress);
      const caller = await callerOf(request, prover);
      if (!(await kept(service.mayGuess(address, caller.account.accountId)))) throw tooMany();
      return caller;
    };
    /**
     * Return a display that the caller may manage.
     * @throws RelayError 404 unless it is the caller's own or the caller is an administrator
     */
    const managedBy = ({ account }: Caller, id: string): DisplayRecord => {
      const record = service.record(id);
      const isOwn = record !== undefined && accountIdOf(record) === account.accountId;
      if (record === undefined || !(isOwn || isAdministrator(account))) throw noDisplay();
      return record;
    };
    /**
     * Check the settings.
     * @throws RelayError 422, or 503 if the account's farms cannot be read
     */
    const check = async (settings: DisplaySettings, caller: Caller, record?: DisplayRecord) => {
      const isOwn = record === undefined || accountIdOf(record) === caller.account.accountId;
      const role = isOwn ? caller.account.account.userType : record.account.userType;
      const read = async () => {
        const viewer = isOwn
          ? await owners.view(caller.account, caller.token)
          : await owners.viewAs(accountIdOf(record));
        const state = stateOf(viewer.devices);
        viewer.release();
        return state;
      };
      const state = addedFarms(settings, record?.settings).length === 0 ? {} : await read();
      const fault = settingsFault(settings, state, role ?? null, record?.settings);
      if (fault) throw invalidField(fault.field, fault.defaultMessage);
    };
    /** Record an administrator's action, also in the farm API's audit if it accepts that. */
    const note = (request: FastifyRequest, { account }: Caller, entry: DisplayAuditEntry): void => {
      const { action, display, before, after } = entry;
      request.log.info(
        { event: "display-audit", audit: action, by: account.accountId, display, before, after },
        "paired, changed or revoked display",
      );
      if (!isAdministrator(account)) return;
      audit.record({
        actor: { id: account.account.id, username: account.account.username },
        action,
        subject: { kind: "display", id: display, name: (after ?? before).name },
        ...(before && { before: auditValues(before) }),
        ...(after && { after: auditValues(after) }),
      });
    };

    app.post(
      relayPath.displayCodes,
      { bodyLimit: BODY_BYTES },
      async (request, reply): Promise<PairingCode> => {
        admit(codes, addressOf(request), DISPLAY_LIMITS.codesPerAddress);
        const agent = String(request.headers["user-agent"] ?? "").slice(0, DISPLAY_LIMITS.agent);
        const code = await kept(service.askCode(agent, request.ip));
        if (!code) throw new RelayError(429, "too-many-requests", "too many displays are waiting");
        reply.header("cache-control", "no-store").code(201);
        return { ...code, approveUrl: publicUrl === null ? null : publicUrl + code.approvePath };
      },
    );
    app.post(
      relayPath.displayToken,
      { bodyLimit: BODY_BYTES, schema: { body: PairingProof } },
      async (request, reply): Promise<PairingAnswer> => {
        admit(polls, addressOf(request), DISPLAY_LIMITS.pollsPerAddress);
        reply.header("cache-control", "no-store");
        return kept(service.collect(request.body.deviceCode));
      },
    );
    app.get(codePath, { schema: { params: WithCode } }, async (request, reply): Promise<PendingCode> => {
      await guesser(request);
      const pending = await kept(service.pending(request.params.code));
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
        const approval = await kept(service.approve(code, settings, caller.account.account));
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
      await kept(service.refresh(account.account));
      reply.header("cache-control", "no-store");
      return { displays: await kept(service.list(isAdministrator(account) ? null : account.accountId)) };
    });
    app.put(
      displayPath,
      { bodyLimit: BODY_BYTES, schema: { params: WithId, body: ChangedDisplay } },
      async (request): Promise<Display> => {
        const caller = await callerOf(request, prover);
        const settings = tidied(request.body.settings);
        const record = managedBy(caller, request.params.id);
        await check(settings, caller, record);
        const changed = await kept(service.change(record, settings));
        if (!changed) throw noDisplay();
        const before = record.settings;
        note(request, caller, { action: "display-change", display: record.id, before, after: settings });
        return changed;
      },
    );
    app.delete(displayPath, { schema: { params: WithId } }, async (request, reply) => {
      const caller = await callerOf(request, prover);
      const { id, settings: before } = managedBy(caller, request.params.id);
      if (!(await kept(service.revoke(id)))) throw noDisplay();
      note(request, caller, { action: "display-revoke", display: id, before });
      return reply.code(204).send();
    });
    app.get(
      relayPath.ownDisplay,
      { config: { display: "read" } },
      async (request, reply): Promise<OwnDisplay> => {
        const record = request.display ? service.record(request.display.id) : undefined;
        if (record === undefined) throw new RelayError(401, "unauthorized", "a display's token is required");
        reply.header("cache-control", "no-store");
        const { zone } = accountZone(record.account.timezone, apiTimezone);
        return { display: await kept(service.shown(record)), zone };
      },
    );
  },
  { name: "displays", fastify: "5.x", dependencies: ["errors", "display-gate"] },
);
