import { randomInt, randomUUID } from "node:crypto";
import { setupBegin, setupRead } from "@mulkko/shared/rest/operations/account";
import type { SetupState } from "@mulkko/shared/rest/setup";
import { languageOf } from "@mulkko/shared/rules/account-fields";
import type { Clock } from "@mulkko/shared/rules/clock";
import { isEmail } from "@mulkko/shared/rules/email";
import fp from "fastify-plugin";
import { hashSecret, isSecret } from "../accounts/key.ts";
import { hashPassword } from "../accounts/passwords.ts";
import { NO_EMAIL } from "../accounts/profile.ts";
import { accountOf, findAccount, hasAccounts, insertAccount } from "../accounts/repository.ts";
import { registrationFaults } from "../accounts/rules.ts";
import type { Database, Queryable } from "../database/database.ts";
import { DEMO_PASSWORD } from "../demo/farm.ts";
import { ApiError, FieldsError, notFound } from "../http/api-error.ts";
import { routeOf } from "../http/operation-route.ts";
import type { App } from "../http/server.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** The one-time code that creates the first administrator; null where one exists. */
    setupCode: string | null;
  }
}

/** Without easily confused letters. */
const ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
const CODE_LENGTH = 12;
/** After this many wrong codes only a restart, with a new code, helps. */
const MAX_WRONG_CODES = 20;

const newCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");

/** Return a code as it was printed, however it was typed: in any case and width, with any separators. */
const typedCode = (text: string): string =>
  text
    .normalize("NFKC")
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, "");

/** Key of `setting` with the code. */
const SETUP_CODE = "setup-code";

/** Return the one code of this database, and make it at the first start. */
async function storedCode(database: Database): Promise<string> {
  await database.query("insert into setting (key, value) values ($1, $2) on conflict do nothing", [
    SETUP_CODE,
    newCode(),
  ]);
  const [row] = await database.query<{ value: string }>("select value from setting where key = $1", [
    SETUP_CODE,
  ]);
  if (!row) throw new Error("the setup code was not stored");
  return row.value;
}

const removeCode = (database: Queryable): Promise<object[]> =>
  database.query("delete from setting where key = $1", [SETUP_CODE]);

/**
 * Create the first administrator of an empty farm with the code that the process printed: reading its output
 * proves ownership.
 */
export const setupRoutes = fp<{ clock: Clock }>(
  async (app: App, { clock }) => {
    const isNeeded = app.demoLogin === null && !(await hasAccounts(app.database));
    const code = isNeeded ? await storedCode(app.database) : null;
    let codeHash = code ? hashSecret(code) : null;
    let wrong = 0;
    app.decorate("setupCode", code);

    const tags = ["setup"];
    app.route({
      ...routeOf(setupRead, { tags, summary: "Return `needed`, true while there is no account" }),
      async handler(): Promise<SetupState> {
        const demo = await app.demoLogin?.state();
        return { needed: codeHash !== null, ...(demo && { demo }) };
      },
    });

    app.route({
      ...routeOf(setupBegin, {
        tags,
        summary: "Make the first administrator, by the code that the process printed",
      }),
      async handler(request, reply) {
        if (!codeHash) throw new ApiError(409, "conflict", "an administrator already exists");
        const { code: given, username, password, nickname, language: wanted = "KO" } = request.body;
        const userAddress = request.body.userAddress.trim();
        if (wrong >= MAX_WRONG_CODES) {
          throw new ApiError(
            429,
            "too-many-requests",
            "too many wrong codes; restart the API for a new one",
            {
              retryAfter: 3_600,
            },
          );
        }
        if (!isSecret(typedCode(given), codeHash)) {
          wrong += 1;
          // The next start makes another one.
          if (wrong === MAX_WRONG_CODES) await removeCode(app.database);
          throw new ApiError(403, "forbidden", "the setup code is wrong");
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
          await app.database.transaction(async (tx) => {
            await insertAccount(tx, { id, passwordHash, userType: "ADMIN", ...person }, now);
            await removeCode(tx);
          });
        } catch (error) {
          codeHash = used;
          throw error;
        }
        request.log.info({ event: "first-admin-created", accountId: id }, "created first administrator");
        const account = await findAccount(app.database, id);
        if (!account) throw notFound("account");
        return reply.code(201).send(accountOf(account));
      },
    });
  },
  { name: "setup", dependencies: ["database", "auth", "errors", "demo"] },
);
