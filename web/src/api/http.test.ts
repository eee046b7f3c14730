// @vitest-environment node
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { type Call, performCall } from "./http.ts";

/** Perform a call against a fake server and return the request. */
async function sent(call: Partial<Call<never>>): Promise<Request> {
  let request: Request | null = null;
  const fetcher = async (path: string, init: RequestInit) => {
    request = new Request(`http://farm.test${path}`, init);
    return new Response("");
  };
  await performCall(
    fetcher,
    { method: "POST", path: "/api/thing", ...call, answer: Type.Unknown() },
    "the-token",
  );
  if (request === null) throw new Error("nothing was sent");
  return request;
}

describe("http", () => {
  it("[rest] form-encodes a form: undefined omitted, null empty, booleans and lists as text", async () => {
    const request = await sent({
      form: {
        name: "밭 1 & 2",
        clusterId: 0,
        widget: false,
        crops: null,
        description: "",
        chNums: undefined,
        sensors: ["a", "b"],
      },
    });
    expect(request.headers.get("content-type")).toMatch(/^application\/x-www-form-urlencoded/);
    expect(Object.fromEntries(new URLSearchParams(await request.text()))).toEqual({
      name: "밭 1 & 2",
      clusterId: "0",
      widget: "false",
      crops: "",
      description: "",
      sensors: "a,b",
    });
    expect(request.headers.get("authorization")).toBe("Bearer the-token");
  });

  it("[rest] sends an image as multipart under the name `image`, with the browser's own boundary", async () => {
    const request = await sent({ file: { name: "image", file: new Blob(["x"], { type: "image/png" }) } });
    expect(request.headers.get("content-type")).toMatch(/^multipart\/form-data; *boundary=/);
    expect(await request.text()).toMatch(/name="image"; filename="image"/);
  });

  it("[rest] sends JSON as JSON, and a call without a body without one", async () => {
    const request = await sent({ body: { a: 1 } });
    expect(request.headers.get("content-type")).toBe("application/json");
    expect(await request.json()).toEqual({ a: 1 });
    expect(await (await sent({})).text()).toBe("");
  });
});
