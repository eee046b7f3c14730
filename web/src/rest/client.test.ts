import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { createRestClient, watchAnswers } from "./client.ts";

const tokens = { accessToken: () => null, refresh: () => Promise.resolve(null) };
const call = { method: "GET", path: "/thing", answer: Type.Unknown() } as const;

describe("calls of a page", () => {
  it("[LIVE-1] says of each call that nothing answered, and of no refusal", async () => {
    let signs = 0;
    const answers: (() => Promise<Response>)[] = [
      () => Promise.reject(new TypeError("Failed to fetch")),
      () => Promise.resolve(new Response("{}", { status: 503 })),
      () => Promise.resolve(new Response("{}")),
    ];
    const client = watchAnswers(
      createRestClient(tokens, () => answers.shift()?.() ?? Promise.reject(new Error("one call too many"))),
      () => {
        signs += 1;
      },
    );
    await expect(client.call(call)).rejects.toMatchObject({ name: "NoAnswerError" });
    expect(signs).toBe(1);
    await expect(client.call(call)).rejects.toMatchObject({ status: 503 });
    await client.call(call);
    expect(signs).toBe(1);
  });
});
