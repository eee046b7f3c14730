import { describe, expect, it } from "vitest";
import { type CallWay, createCallWays, formOf, type WayRefusal } from "./call-ways.ts";

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
    const ways = createCallWays();
    const { tried, send } = api(({ method }) => (method === "POST" ? null : new Refused(405, "GET, POST")));
    expect(await ways.send(PUT_FORM, "/api/v1/sensor/update/41", send, refusalOf)).toBe("done");
    expect(await ways.send(PUT_FORM, "/api/v1/sensor/update/42", send, refusalOf)).toBe("done");
    expect(tried).toEqual(["PUT form", "POST form", "POST form"]);
  });

  it("[WAY-1] tries the other kind of body after 415, also after another method", async () => {
    const ways = createCallWays();
    const { tried, send } = api(({ method, body }) =>
      method === "PUT" ? new Refused(405, "POST") : body === "form" ? new Refused(415) : null,
    );
    await ways.send(PUT_FORM, "/a", send, refusalOf);
    await ways.send(PUT_FORM, "/a", send, refusalOf);
    expect(tried).toEqual(["PUT form", "POST form", "POST json", "POST json"]);
  });

  it("[WAY-1] sends nothing twice after any other answer, or without another way", async () => {
    for (const [refused, count] of [
      [new Refused(405), 1],
      [new Refused(405, "DELETE"), 1],
      [new Refused(500), 1],
      [new Refused(415), 2],
    ] as const) {
      const { tried, send } = api(() => refused);
      await expect(createCallWays().send(PUT_FORM, "/a", send, refusalOf)).rejects.toBe(refused);
      expect(tried).toHaveLength(count);
    }
    const { tried, send } = api(() => new Refused(415));
    const file: CallWay = { method: "POST", body: null };
    await expect(createCallWays().send(file, "/a", send, refusalOf)).rejects.toThrow("415");
    expect(tried).toEqual(["POST null"]);
  });

  it("[WAY-1] writes a body as a form", () => {
    expect(formOf({ a: 1, b: null, c: undefined, d: ["x", 2], e: { f: 1 } }).toString()).toBe(
      "a=1&b=&d=x%2C2&e=%7B%22f%22%3A1%7D",
    );
  });
});
