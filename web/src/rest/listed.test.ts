import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import type { RestClient } from "./client.ts";
import { BadAnswerError } from "./errors.ts";
import { fetchEvery, fetchListed } from "./listed.ts";

const LIST = { path: "/things", row: Type.Object({ id: Type.Integer() }) };
const { signal } = new AbortController();

/** An API with so many things; a plain one answers all of them, whatever is wished. */
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
  it("[rest] a page is asked for with its size, search and order", async () => {
    const { rest, paths } = createApi(12);
    const query = { page: 2, size: 5, text: "a&b", sort: { key: "name", descending: true } };
    expect(await fetchListed(rest, LIST, query, signal)).toEqual({
      kind: "page",
      rows: [6, 7, 8, 9, 10].map((id) => ({ id })),
      total: 12,
    });
    expect(paths).toEqual(["/things?page=2&size=5&q=a%26b&sort=name%2Cdesc"]);
  });

  it("[rest] an API that knows no pages answers the whole list", async () => {
    const { rest } = createApi(3, true);
    const listed = await fetchListed(rest, LIST, { page: 2, size: 5, text: "", sort: null }, signal);
    expect([listed.kind, listed.rows.length]).toEqual(["whole", 3]);
    expect(await fetchEvery(rest, LIST, { text: "", sort: null }, signal)).toHaveLength(3);
  });

  it("[rest] every row is gathered over all pages", async () => {
    const { rest, paths } = createApi(450);
    const every = await fetchEvery(rest, LIST, { text: "", sort: null }, signal);
    expect(new Set(every.map(({ id }) => id)).size).toBe(450);
    expect(paths).toHaveLength(3);
  });

  it("[rest] a row that is none is no answer", async () => {
    const rest: RestClient = { call: () => Promise.resolve([{ id: "x" }] as never) };
    const query = { page: 1, size: 5, text: "", sort: null };
    await expect(fetchListed(rest, LIST, query, signal)).rejects.toBeInstanceOf(BadAnswerError);
  });
});
