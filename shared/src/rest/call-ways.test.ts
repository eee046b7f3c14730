import { describe, expect, it } from "vitest";
import { type CallWay, CallWays, formOf, type WayRefusal } from "./call-ways.ts";
import { controllerDelete } from "./operations/controllers.ts";
import type { Operation } from "./operations/operation.ts";
import { sensorAdd, sensorDelete, sensorUpdate } from "./operations/sensors.ts";
import { OPERATIONS } from "./operations/table.ts";

class Refused extends Error {
  readonly refusal: WayRefusal;
  constructor(status: number, allow: string | null = null) {
    super(`${status}`);
    this.refusal = { status, allow };
  }
}
const refusalOf = (error: unknown) => (error instanceof Refused ? error.refusal : null);
const PUT_FORM: CallWay = { method: "PUT", body: "form" };

describe("[WAY-1] ways of sending a write", () => {
  const api = (takes: (way: CallWay) => Refused | null) => {
    const tried: string[] = [];
    const send = async (way: CallWay) => {
      tried.push(`${way.method} ${way.body}`);
      const refused = takes(way);
      if (refused) throw refused;
      return "done";
    };
    return { tried, send };
  };

  it("[WAY-1] tries the method that Allow names once, and remembers it for calls of that kind", async () => {
    const ways = new CallWays();
    const { tried, send } = api(({ method }) => (method === "POST" ? null : new Refused(405)));
    expect(await ways.send(PUT_FORM, sensorUpdate, send, refusalOf)).toBe("done");
    expect(await ways.send(PUT_FORM, sensorUpdate, send, refusalOf)).toBe("done");
    expect(tried).toEqual(["PUT form", "POST form", "POST form"]);
  });

  it("[WAY-1] tries every method that a row accepts after 405, and no other without Allow", async () => {
    const rows = OPERATIONS.filter(({ methods }) => methods[0] !== "GET");
    for (const row of rows) {
      for (const accepted of ["POST", "PUT", "DELETE"] as const) {
        const { tried, send } = api(({ method }) => (method === accepted ? null : new Refused(405)));
        const asked: CallWay = { method: row.methods[0], body: null };
        const done = await new CallWays().send(asked, row, send, refusalOf).catch(() => "refused");
        const isRow = row.methods.some((each) => each === accepted);
        expect([row.path, accepted, done]).toEqual([row.path, accepted, isRow ? "done" : "refused"]);
        expect(tried.length).toBeLessThanOrEqual(row.methods.length);
      }
    }
  });

  it("[WAY-1] deletes by POST only where the row accepts it", async () => {
    const by = async (operation: Operation) => {
      const { tried, send } = api(({ method }) => (method === "POST" ? null : new Refused(405, "POST")));
      await new CallWays().send({ method: "DELETE", body: null }, operation, send, refusalOf).catch(() => 0);
      return tried;
    };
    expect(await by(sensorDelete)).toEqual(["DELETE null", "POST null"]);
    expect(await by(controllerDelete)).toEqual(["DELETE null"]);
  });

  it("[WAY-1] tries the other of POST and PUT where Allow names it, for a row of one method", async () => {
    const { tried, send } = api(({ method }) => (method === "PUT" ? null : new Refused(405, "PUT, GET")));
    await new CallWays().send({ method: "POST", body: null }, sensorAdd, send, refusalOf);
    expect(tried).toEqual(["POST null", "PUT null"]);
  });

  it("[WAY-1] tries the other kind of body after 415, also after another method", async () => {
    const ways = new CallWays();
    const { tried, send } = api(({ method, body }) =>
      method === "PUT" ? new Refused(405, "POST") : body === "form" ? new Refused(415) : null,
    );
    await ways.send(PUT_FORM, sensorUpdate, send, refusalOf);
    await ways.send(PUT_FORM, sensorUpdate, send, refusalOf);
    expect(tried).toEqual(["PUT form", "POST form", "POST json", "POST json"]);
  });

  it("[WAY-1] sends nothing twice after any other answer, or without another way", async () => {
    for (const [refused, count] of [
      [new Refused(405), 2],
      [new Refused(405, "DELETE"), 2],
      [new Refused(500), 1],
      [new Refused(415), 2],
    ] as const) {
      const { tried, send } = api(() => refused);
      await expect(new CallWays().send(PUT_FORM, sensorUpdate, send, refusalOf)).rejects.toBe(refused);
      expect(tried).toHaveLength(count);
    }
    const { tried, send } = api(() => new Refused(415));
    const file: CallWay = { method: "POST", body: null };
    await expect(new CallWays().send(file, sensorUpdate, send, refusalOf)).rejects.toThrow("415");
    expect(tried).toEqual(["POST null"]);
  });

  it("[WAY-1] writes a body as a form", () => {
    expect(formOf({ a: 1, b: null, c: undefined, d: ["x", 2], e: { f: 1 } }).toString()).toBe(
      "a=1&b=&d=x%2C2&e=%7B%22f%22%3A1%7D",
    );
  });
});
