import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import type { RestClient } from "./client.ts";
import { BadAnswerError } from "./errors.ts";
import { fetchEvery, fetchListed } from "./listed.ts";

const LIST = { path: "/things", row: Type.Object({ id: Type.Integer() }) };
const { signal } = new AbortController();

/** Create an API with the given number of objects; a plain one always answers with all of them. */
function createApi(count: number, plain = false) {
  const paths: string[] = [];
  const all = Array.from({ length: count }, (_, index) => ({ id: index + 1 }));
  const rest: RestClient = {
    call({ path }) {
      paths.push(path);
      const query = new URL(path, "http://api").searchParams;
      const [page, size] = [Number(query.get("page")), Number(query.get("size"))];
      const content = all.slice((page - 1) * size, page * size);
      return Promise.resolve((plain ? all : { content, totalElements: count }) as never);
    },
  };
  return { rest, paths };
}

describe("long lists", () => {
  it("[rest] requests a page with its size, search and order", async () => {
    const { rest, paths } = createApi(12);
    const query = { page: 2, size: 5, text: "a&b", sort: { key: "name", descending: true } };
    expect(await fetchListed(rest, LIST, query, signal)).toEqual({
      kind: "page",
      rows: [6, 7, 8, 9, 10].map((id) => ({ id })),
      total: 12,
    });
    expect(paths).toEqual(["/things?page=2&size=5&q=a%26b&sort=name%2Cdesc"]);
  });

  it("[rest] accepts the whole list from an API without pages", async () => {
    const { rest } = createApi(3, true);
    const listed = await fetchListed(rest, LIST, { page: 2, size: 5, text: "", sort: null }, signal);
    expect([listed.kind, listed.rows.length]).toEqual(["whole", 3]);
    expect(await fetchEvery(rest, LIST, { text: "", sort: null }, signal)).toHaveLength(3);
  });

  it("[rest] collects every row over all pages", async () => {
    const { rest, paths } = createApi(450);
    const every = await fetchEvery(rest, LIST, { text: "", sort: null }, signal);
    expect(new Set(every.map(({ id }) => id)).size).toBe(450);
    expect(paths).toHaveLength(3);
  });

  it("[ROW-1] keeps a row with an odd field, and a list with a row without id", async () => {
    const row = Type.Object({ id: Type.Integer(), name: Type.Optional(Type.String()) });
    const rows = [{ id: 1, name: { odd: true } }, { id: "2", name: "two" }, { name: "nameless" }, "row"];
    for (const answer of [rows, { content: rows, totalElements: 4 }]) {
      const rest: RestClient = { call: () => Promise.resolve(answer as never) };
      const query = { page: 1, size: 5, text: "", sort: null };
      const listed = await fetchListed(rest, { path: "/things", row }, query, signal);
      expect(listed.rows).toEqual([{ id: 1 }, { id: 2, name: "two" }]);
    }
  });

  it("[rest] rejects an answer with an invalid row", async () => {
    const rest: RestClient = { call: () => Promise.resolve([{ id: "x" }] as never) };
    const query = { page: 1, size: 5, text: "", sort: null };
    await expect(fetchListed(rest, LIST, query, signal)).rejects.toBeInstanceOf(BadAnswerError);
  });
});
