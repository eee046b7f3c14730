import { ErrorBody } from "@mulkko/shared/rest/errors";
import { accountLogin, openApi, recoverBegin } from "@mulkko/shared/rest/operations/account";
import { sensorAdd, sensorList } from "@mulkko/shared/rest/operations/sensors";
import { matchCall, OPERATIONS } from "@mulkko/shared/rest/operations/table";
import { parse } from "@mulkko/shared/schema/parse";
import fc from "fast-check";
import { Type } from "typebox";
import { afterAll, describe, expect, test } from "vitest";
import type { TestFarm } from "../test-farm.ts";
import { CASES, type Case, documentedPath, ELSEWHERE } from "./cases.ts";
import { type Operation, operationsOf, propertiesOf } from "./operations.ts";
import { beginWalk, type Params, pictureForm } from "./walk.ts";

/** Fuzzed bodies per operation. */
const FUZZED = 60;

/** Values that break careless code: SQL, NUL, paths, numbers beyond every column, wrong shapes. */
const nasty = fc.oneof(
  fc.constantFrom<unknown>(
    "'; drop table sensor; --",
    "\u0000",
    "../../etc/passwd",
    "%00",
    "💧".repeat(300),
    "1e999",
    -1,
    0,
    1.5,
    2 ** 31,
    2 ** 53,
    Number.MAX_VALUE,
    "NaN",
    true,
    null,
    [],
    {},
    [[]],
    "__proto__",
    "2026-02-30",
    "25:61",
    "99999999-0000-4000-8000-000000000009",
  ),
  fc.string(),
  fc.integer(),
  fc.double(),
  fc.array(fc.string(), { maxLength: 5 }),
);

/**
 * Call every operation of the API's own document, successfully and in every way that it must refuse.
 *
 * @param name of the database behind the farm
 */
export async function contractWalk(name: string, farm: TestFarm): Promise<void> {
  const document = (await farm.app.inject({ url: openApi.path })).json();
  const operations = operationsOf(document);
  const walk = beginWalk(farm);
  const walked = operations.filter((operation) => !(operation.name in ELSEWHERE));
  const caseOf = (operation: Operation): Case => CASES[operation.name] ?? {};
  const named = (some: readonly Operation[]): [string, Operation][] => some.map((one) => [one.name, one]);

  const mineOf = async (operation: Operation): Promise<Params> =>
    (await caseOf(operation).mine?.(walk)) ?? {};
  const urlOf = (operation: Operation, params: Params): string => {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_all, key: string) =>
      encodeURIComponent(String(params[key] ?? `no-${key}`)),
    );
    const query = new URLSearchParams(caseOf(operation).query).toString();
    return query ? `${path}?${query}` : path;
  };
  const call = async (
    operation: Operation,
    params: Params,
    how: { body?: unknown; who?: string; anonymous?: true } = {},
  ) => {
    const one = caseOf(operation);
    const who = how.who ?? one.who ?? "farmer-one";
    const token = how.anonymous || !operation.needsToken ? {} : { authorization: await walk.tokenOf(who) };
    const form = one.isPicture ? pictureForm() : undefined;
    const body = form?.payload ?? how.body;
    return farm.app.inject({
      method: operation.method,
      url: urlOf(operation, params),
      headers: {
        ...token,
        ...form?.headers,
        ...(how.anonymous ? {} : await one.headers?.(walk)),
        ...(body !== undefined && !form ? { "content-type": "application/json" } : {}),
      },
      ...(body === undefined ? {} : { payload: form ? form.payload : JSON.stringify(body) }),
    });
  };
  const isError = (answer: { body: string }): boolean => parse(ErrorBody, JSON.parse(answer.body)).ok;

  afterAll(() => farm.close());

  describe(`[contract] on ${name}`, () => {
    test("[contract] every operation has its case, and every case an operation", () => {
      const names = operations.map((operation) => operation.name).toSorted();
      expect([...Object.keys(CASES), ...Object.keys(ELSEWHERE)].toSorted()).toEqual(names);
      expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    });

    test("[contract] serves every call of the table, and no other", () => {
      const served = operations.filter(({ path }) => path.startsWith("/api/"));
      // The document does not list itself.
      const rows = OPERATIONS.filter(({ path }) => path !== openApi.path);
      const calls = rows.flatMap(({ methods, path }) =>
        methods.map((method) => `${method} ${documentedPath(path)}`),
      );
      expect(served.map((operation) => operation.name).toSorted()).toEqual(calls.toSorted());
    });

    test("[contract] the table finds the row of every operation, by method and path", () => {
      for (const { name: operation, method, path } of operations) {
        if (!path.startsWith("/api/")) continue;
        const found = matchCall(method, path.replaceAll(/\{\w+\}/g, "11"));
        expect([operation, found?.isAccepted]).toEqual([operation, true]);
        expect(documentedPath(found?.operation?.path ?? "")).toBe(path);
        expect(found?.operation?.methods).toContain(method);
      }
    });

    test("[contract] a path has one spelling: with another one it is 404", async () => {
      const { path } = sensorList;
      const spellings = [
        `${path}/`,
        path.replace("/v1", "//v1"),
        path.replace("list", "%6cist"),
        path.replace("/list", "%2flist"),
        path.replace("list", "LIST"),
        `${path};a=1`,
      ];
      const authorization = await walk.tokenOf("farmer-one");
      for (const url of spellings) {
        const answer = await farm.app.inject({ url, headers: { authorization } });
        expect([url, answer.statusCode, isError(answer)]).toEqual([url, 404, true]);
      }
    });

    test.each(named(walked.filter(({ needsToken }) => needsToken)))(
      "[contract] %s is 401 without a token",
      async (_name, operation) => {
        const answer = await call(operation, await mineOf(operation), { anonymous: true });
        expect([answer.statusCode, isError(answer)]).toEqual([401, true]);
      },
    );

    test.each(named(walked.filter((operation) => caseOf(operation).who === "overseer")))(
      "[contract] %s is 403 for who is no administrator",
      async (_name, operation) => {
        const params = await mineOf(operation);
        const body = await caseOf(operation).body?.(walk, params);
        const answer = await call(operation, params, { body, who: "farmer-one" });
        expect([answer.statusCode, isError(answer)]).toEqual([403, true]);
      },
    );

    test.each(named(walked.filter((operation) => caseOf(operation).theirs)))(
      "[separation] %s: another's, an unknown and an impossible id are all 404",
      async (_name, operation) => {
        const { theirs = [], body } = caseOf(operation);
        for (const params of theirs) {
          const answer = await call(operation, params, { body: await body?.(walk, params) });
          expect([params, answer.statusCode, isError(answer)]).toEqual([params, 404, true]);
        }
      },
    );

    test.each(named(walked.filter((operation) => caseOf(operation).theirBody)))(
      "[separation] %s does nothing with another's things in its body",
      async (_name, operation) => {
        const answer = await call(operation, await mineOf(operation), {
          body: caseOf(operation).theirBody?.(walk),
        });
        expect([404, 422]).toContain(answer.statusCode);
        expect(isError(answer)).toBe(true);
      },
    );

    test.each(named(walked.filter(({ requiredQuery }) => requiredQuery.length > 0)))(
      "[contract] %s without what its query needs is 422",
      async (_name, operation) => {
        const authorization = await walk.tokenOf(caseOf(operation).who ?? "farmer-one");
        const answer = await farm.app.inject({ url: operation.path, headers: { authorization } });
        expect([answer.statusCode, isError(answer)]).toEqual([422, true]);
      },
    );

    test.each(named(walked.filter(({ body }) => body !== null)))(
      "[contract] %s names each field that is missing or of a wrong type",
      async (_name, operation) => {
        const params = await mineOf(operation);
        const good: Record<string, unknown> = { ...(await caseOf(operation).body?.(walk, params)) };
        for (const property of propertiesOf(operation.body)) {
          const broken: [string, Record<string, unknown>][] = [
            ["wrong", { ...good, [property.name]: { wrong: [true] } }],
          ];
          const { [property.name]: _left, ...without } = good;
          if (property.required) broken.push(["missing", without]);
          for (const [how, body] of broken) {
            const answer = await call(operation, params, { body });
            expect([property.name, how, answer.statusCode]).toEqual([property.name, how, 422]);
            expect(answer.json()).toMatchObject({ code: "validation" });
          }
        }
        const list = await call(operation, params, { body: [good] });
        expect([list.statusCode, isError(list)]).toEqual([422, true]);
      },
    );

    test.each(named(walked))("[contract] %s goes well, and answers as it says", async (_name, operation) => {
      const params = await mineOf(operation);
      const body = await caseOf(operation).body?.(walk, params);
      const answer = await call(operation, params, { body });
      expect([answer.statusCode, answer.statusCode < 300 ? "" : answer.body]).toEqual([
        operation.success.status,
        "",
      ]);
      const { schema } = operation.success;
      const isJson = String(answer.headers["content-type"]).startsWith("application/json");
      if (schema === null || !isJson) return;
      const checked = parse(Type.Unsafe<unknown>(schema), answer.json());
      expect(checked).toMatchObject({ ok: true });
    });

    test.each(named(walked.filter(({ body }) => body !== null)))(
      "[hostile] %s: no body makes it fail, and every refusal has the contract's shape",
      async (_name, operation) => {
        const params = await mineOf(operation);
        const names = propertiesOf(operation.body).map((property) => property.name);
        const good = { ...(await caseOf(operation).body?.(walk, params)) };
        const changes = fc.dictionary(fc.constantFrom(...names, "extra", "__proto__"), nasty, { maxKeys: 4 });
        await fc.assert(
          fc.asyncProperty(changes, async (change) => {
            farm.clock.advance(1_000);
            const answer = await call(operation, params, { body: { ...good, ...change } });
            expect(answer.statusCode).toBeLessThan(500);
            if (answer.statusCode >= 400) expect(isError(answer)).toBe(true);
          }),
          { numRuns: FUZZED, seed: 20_261_121 },
        );
      },
    );

    test("[hostile] answers 422 to an oversized number, in each operation with a page, and in a body", async () => {
      const paged = walked.filter(({ query }) => query.includes("page"));
      expect(paged.length).toBeGreaterThan(3);
      for (const operation of paged) {
        const authorization = await walk.tokenOf(caseOf(operation).who ?? "farmer-one");
        for (const query of ["page=1e309", "size=1e309", "page=-1e309"]) {
          const answer = await farm.app.inject({
            url: `${operation.path}?${query}`,
            headers: { authorization },
          });
          expect([operation.name, query, answer.statusCode, isError(answer)]).toEqual([
            ...[operation.name, query, 422, true],
          ]);
        }
      }
      const body = { name: "x", serial: "1", deviceType: "SMS", latitude: "1e309" };
      const answer = await walk.ask("POST", sensorAdd.path, body);
      expect([answer.statusCode, isError(answer)]).toEqual([422, true]);
    });

    test("[hostile] answers 400 to a body of 100,000 levels, also without an account", async () => {
      const payload = `{"username":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
      const headers = { "content-type": "application/json" };
      for (const url of [accountLogin.path, recoverBegin.path, sensorAdd.path, "/api/v1/no/such/path"]) {
        const answer = await farm.app.inject({ method: "POST", url, headers, payload });
        expect([url, answer.statusCode < 500, isError(answer)]).toEqual([url, true, true]);
      }
    });

    test("[hostile] no path value makes any operation fail", async () => {
      const values = ["%00", "💧", "'; drop table account; --", "-1", "9".repeat(40), "1e3", "0x10", " 1"];
      for (const operation of walked.filter(({ path }) => path.includes("{"))) {
        for (const value of values) {
          const params = Object.fromEntries(
            [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, key = ""]) => [key, value]),
          );
          const answer = await call(operation, params, {
            body: await caseOf(operation).body?.(walk, params),
          });
          expect([operation.name, value, answer.statusCode < 500]).toEqual([operation.name, value, true]);
        }
      }
    });
  });
}
