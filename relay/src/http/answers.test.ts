import { ErrorBody } from "@mulkko/shared/rest/errors";
import { controllerCommand } from "@mulkko/shared/rest/operations/controllers";
import { sensorList } from "@mulkko/shared/rest/operations/sensors";
import { relayPath } from "@mulkko/shared/rest/routes";
import { parse } from "@mulkko/shared/schema/parse";
import type { RouteOptions } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RelayHarness, startRelayHarness } from "../../testing/relay-harness.ts";

let harness: RelayHarness;
const routes: { readonly method: string; readonly url: string; readonly isChecked: boolean }[] = [];
const note = ({ method, url, schema }: RouteOptions) => {
  for (const one of [method].flat()) routes.push({ method: one, url, isChecked: schema !== undefined });
};
beforeAll(async () => {
  harness = await startRelayHarness(undefined, {}, undefined, { onRoute: note });
});
afterAll(() => harness.close());

function fieldsOf(body: unknown): { readonly field: string }[] {
  const parsed = parse(ErrorBody, body);
  return parsed.ok ? (parsed.value.errors ?? []) : [];
}
const JSON_TYPE = { "content-type": "application/json" };
const ask = (path: string, init: RequestInit = {}) => fetch(harness.origin + path, init);
const pathOf = (url: string): string => url.replaceAll(/:\w+/g, "x");
/** The relay's own routes with a schema, and those of them that ask for no token. */
const checked = () => routes.filter(({ url, isChecked }) => isChecked && url.startsWith("/relay/"));
const OPEN = new Set<string>([relayPath.displayToken, relayPath.config, relayPath.asyncApi]);

test("[http] a call without a valid token is refused before anything of it is checked, on every route", async () => {
  expect(checked().length).toBeGreaterThan(15);
  const command = { method: "POST", url: controllerCommand.path };
  for (const { method, url } of [...checked(), command]) {
    if (OPEN.has(url)) continue;
    const body = ["GET", "HEAD"].includes(method) ? null : "[7]";
    for (const authorization of [undefined, "Bearer token-that-is-unknown"]) {
      const headers = { ...(body && JSON_TYPE), ...(authorization && { authorization }) };
      const answer = await ask(`${pathOf(url)}?fields=&from=never&buckets=-1`, { method, headers, body });
      expect([answer.status, `${method} ${url}`], await answer.text()).toEqual([401, `${method} ${url}`]);
    }
  }
}, 60_000);

test("[http] a method that a path does not have is 405 and names those it has, on every route", async () => {
  const own = new Map<string, Set<string>>();
  for (const { method, url } of routes) {
    if (url.includes("*") || !/^\/(relay|health|ready|metrics)/.test(url)) continue;
    own.set(url, (own.get(url) ?? new Set()).add(method));
  }
  expect(own.size).toBeGreaterThan(20);
  for (const [url, methods] of own) {
    const other = ["PATCH", "DELETE", "PUT", "POST"].find((method) => !methods.has(method)) ?? "";
    const answer = await ask(pathOf(url), { method: other });
    expect([answer.status, url]).toEqual([405, url]);
    const allowed = answer.headers.get("allow")?.split(", ") ?? [];
    for (const method of methods) expect(allowed, url).toContain(method);
  }
  expect((await ask("/relay/nothing", { method: "POST" })).status).toBe(404);
}, 60_000);

test("[http] a body of another type is 415, and all its wrong fields are named at once", async () => {
  const authorization = `Bearer ${harness.account.token}`;
  const text = { method: "PUT", headers: { authorization, "content-type": "text/plain" }, body: "a" };
  expect((await ask(relayPath.settings, text)).status).toBe(415);
  const wrong = await harness.call("POST", relayPath.displays, {
    settings: { pages: [7], turnSeconds: "x" },
  });
  expect(wrong.status).toBe(422);
  const errors = fieldsOf(await wrong.json());
  const fields = errors.map(({ field }) => field);
  expect(fields).toContain("code");
  expect(fields.filter((field) => field.startsWith("settings.")).length).toBeGreaterThan(2);
  expect(new Set(fields).size).toBe(fields.length);
});

test("[http] a body with too many levels is 400, whatever else is wrong with it", async () => {
  const deep = "[".repeat(1_000) + "]".repeat(1_000);
  const headers = { ...JSON_TYPE, authorization: `Bearer ${harness.account.token}` };
  for (const body of [deep, `{"adoptExternal": true, "more": ${deep}}`]) {
    const answer = await ask(relayPath.settings, { method: "PUT", headers, body });
    expect(answer.status).toBe(400);
  }
});

test("[http] only an answer of success has a tag; a precondition changes no refusal", async () => {
  const anything = { "if-none-match": "*" };
  for (const [path, status] of [
    [relayPath.settings, 401],
    [relayPath.waterings, 401],
    ["/relay/nothing", 404],
    ["/nope.js", 404],
    [sensorList.path, 401],
  ] as const) {
    const first = await ask(path);
    expect([first.status, first.headers.get("etag"), path]).toEqual([status, null, path]);
    const again = await ask(path, { headers: anything });
    expect([again.status, path]).toEqual([status, path]);
  }
  const good = await ask(relayPath.config);
  const tag = good.headers.get("etag") ?? "";
  expect(tag).toMatch(/^W\//);
  expect((await ask(relayPath.config, { headers: { "if-none-match": tag } })).status).toBe(304);
});

test("[http] an answer above 1 KB is compressed for who accepts it, an answer to a write is not", async () => {
  const encodingOf = async (path: string, accept: string, init: RequestInit = {}) => {
    const answer = await ask(path, { ...init, headers: { ...init.headers, "accept-encoding": accept } });
    await answer.arrayBuffer();
    return answer.headers.get("content-encoding");
  };
  expect(await encodingOf(relayPath.asyncApi, "br, gzip")).toBe("br");
  expect(await encodingOf(relayPath.asyncApi, "gzip")).toBe("gzip");
  expect(await encodingOf(relayPath.asyncApi, "identity")).toBeNull();
  expect(await encodingOf(relayPath.config, "br, gzip")).toBeNull();
  const authorization = `Bearer ${harness.account.token}`;
  const command = { method: "POST", headers: { authorization, ...JSON_TYPE }, body: "{}" };
  expect(await encodingOf(controllerCommand.path, "br, gzip", command)).toBeNull();
  const compressed = await (await ask(relayPath.asyncApi)).text();
  expect(JSON.parse(compressed)).toHaveProperty("asyncapi");
});

test("[http] what counts up is a counter in the metrics, and nothing else is", async () => {
  const text = await (await ask(relayPath.metrics)).text();
  const types = [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name = "", type = ""]) => ({
    name,
    type,
  }));
  expect(types.length).toBeGreaterThan(30);
  // Those of Node itself have the library's names.
  for (const { name, type } of types.filter((one) => !one.name.includes("nodejs_active")))
    expect([name, type === "counter"]).toEqual([name, name.endsWith("_total")]);
});
