import { randomInt, randomUUID } from "node:crypto";
import { Account } from "@mulkko/shared/entities/account";
import { apiPath } from "@mulkko/shared/rest/routes";
import { SetupBody, SetupState } from "@mulkko/shared/rest/setup";
import { languageOf } from "@mulkko/shared/rules/account-fields";
import type { Clock } from "@mulkko/shared/rules/clock";
import { isEmail } from "@mulkko/shared/rules/email";
import fp from "fastify-plugin";
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from "../../demo/farm.ts";
import { hashSecret, isSecret } from "../../devices/device-key.ts";
import { ApiError, FieldsError, notFound } from "../../http/api-error.ts";
import type { App } from "../../http/server.ts";
import { hashPassword } from "../account/passwords.ts";
import { NO_EMAIL } from "../account/profile.ts";
import { accountOf, findAccount, hasAccounts, insertAccount } from "../account/repository.ts";
import { registrationFaults } from "../account/rules.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** The one-time code that makes the first administrator; null where there is one already. */
    setupCode: string | null;
  }
}

/** Without letters that are taken for others. */
const ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
const CODE_LENGTH = 12;
const DEMO_LOGIN = { usernames: DEMO_ACCOUNTS.map(({ username }) => username), password: DEMO_PASSWORD };
/** After so many wrong codes only a restart, and with it a new code, helps. */
const MAX_WRONG_CODES = 20;

const newCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");

/** An empty farm belongs to whoever can read this process's output: the code printed there makes the first ADMIN. */
export const setupRoutes = fp<{ clock: Clock; isDemo: boolean }>(
  async (app: App, { clock, isDemo }) => {
    const isNeeded = !isDemo && !(await hasAccounts(app.database));
    const code = isNeeded ? newCode() : null;
    let codeHash = code ? hashSecret(code) : null;
    let wrong = 0;
    app.decorate("setupCode", code);

    const tags = ["setup"];
    const askSchema = {
      tags,
      summary: "Whether there is no account yet",
      response: { 200: SetupState },
    };
    app.get(
      apiPath.setup,
      { schema: askSchema },
      async (): Promise<SetupState> => ({
        needed: codeHash !== null,
        ...(isDemo && { demo: DEMO_LOGIN }),
      }),
    );

    const beginSchema = {
      tags,
      summary: "Make the first administrator, by the code that the process printed",
      body: SetupBody,
      response: { 201: Account },
    };
    app.post(apiPath.setup, { schema: beginSchema }, async (request, reply) => {
      if (!codeHash) throw new ApiError(409, "conflict", "there is an administrator already");
      const { code: given, username, password, nickname, language: wanted = "KO" } = request.body;
      const userAddress = request.body.userAddress.trim();
      if (wrong >= MAX_WRONG_CODES) {
        throw new ApiError(429, "too-many-requests", "too many wrong codes; restart the API for a new one", {
          retryAfter: 3_600,
        });
      }
      if (!isSecret(given.trim().toUpperCase(), codeHash)) {
        wrong += 1;
        throw new ApiError(403, "forbidden", "the set-up code is wrong");
      }
      const language = languageOf(wanted) ?? "KO";
      const faults = registrationFaults(username, password, DEMO_PASSWORD);
      if (!isEmail(userAddress)) faults.push({ field: "userAddress", defaultMessage: NO_EMAIL });
      if (faults.length > 0) throw new FieldsError(faults);
      const used = codeHash;
      codeHash = null;
      const id = randomUUID();
      try {
        const passwordHash = await hashPassword(password);
        const now = clock.now();
        const person = { username, nickname, userAddress, language };
        await insertAccount(app.database, { id, passwordHash, userType: "ADMIN", ...person }, now);
      } catch (error) {
        codeHash = used;
        throw error;
      }
      request.log.info({ accountId: id }, "the first administrator was made");
      const account = await findAccount(app.database, id);
      if (!account) throw notFound("account");
      return reply.code(201).send(accountOf(account));
    });
  },
  { name: "setup", dependencies: ["database", "auth", "errors"] },
);
