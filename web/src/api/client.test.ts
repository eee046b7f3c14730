import { reservationAdd } from "@mulkko/shared/rest/operations/controllers";
import { callOf } from "@mulkko/shared/rest/operations/operation";
import { sensorUpdate } from "@mulkko/shared/rest/operations/sensors";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { createRestClient, watchAnswers } from "./client.ts";
import { ApiError, NoAnswerError } from "./errors.ts";

const tokens = { accessToken: () => null, refresh: () => Promise.resolve(null) };
const call = { method: "GET", path: "/thing", answer: Type.Unknown() } as const;

describe("calls of a page", () => {
  it("[LIVE-1] reports each call without an answer, and no refusal", async () => {
    let signs = 0;
    const answers: (() => Promise<Response>)[] = [
      () => Promise.reject(new TypeError("Failed to fetch")),
      () => Promise.resolve(new Response("{}", { status: 503 })),
      () => Promise.resolve(new Response("{}")),
    ];
    const client = watchAnswers(
      createRestClient(tokens, () => answers.shift()?.() ?? Promise.reject(new Error("one call too many"))),
      {
        doubt: () => {
          signs += 1;
        },
        hurry: () => () => undefined,
      },
    );
    await expect(client.call(call)).rejects.toMatchObject({ name: "NoAnswerError" });
    expect(signs).toBe(1);
    await expect(client.call(call)).rejects.toMatchObject({ status: 503 });
    await client.call(call);
    expect(signs).toBe(1);
  });

  it("[LIVE-1] reports a call that changes something while it waits, and no read", async () => {
    let waiting = 0;
    const counts: number[] = [];
    const client = watchAnswers(
      createRestClient(tokens, async () => {
        counts.push(waiting);
        return new Response("{}", { status: counts.length === 3 ? 503 : 200 });
      }),
      {
        doubt: () => undefined,
        hurry() {
          waiting += 1;
          return () => {
            waiting -= 1;
          };
        },
      },
    );
    await client.call(call);
    await client.call({ ...call, method: "POST" });
    await expect(client.call({ ...call, method: "PUT" })).rejects.toMatchObject({ status: 503 });
    expect(counts).toEqual([0, 1, 1]);
    expect(waiting).toBe(0);
  });

  it.each([400, 404, 405, 409, 413, 415, 422, 426, 429, 500, 502, 503])(
    "[CMD-8] a renewal that is answered %i is no refusal of the call",
    async (status) => {
      const client = createRestClient(
        {
          accessToken: () => "old",
          refresh: () => Promise.reject(new ApiError(status, { code: "malformed", message: "no" }, null)),
        },
        () => Promise.resolve(new Response('{"code":"unauthorized"}', { status: 401 })),
      );
      await expect(client.call({ ...call, method: "POST" })).rejects.toMatchObject({ status: 401 });
    },
  );

  it("[CMD-8] a renewal without an answer leaves it open what became of the call", async () => {
    const client = createRestClient(
      { accessToken: () => "old", refresh: () => Promise.reject(new NoAnswerError("no network")) },
      () => Promise.resolve(new Response("{}", { status: 401 })),
    );
    await expect(client.call({ ...call, method: "POST" })).rejects.toMatchObject({ name: "NoAnswerError" });
  });

  it("[WAY-1] saves by the method and body type that the farm API accepts", async () => {
    const sent: unknown[] = [];
    const client = createRestClient(tokens, async (path, { method, headers, body }) => {
      const type = new Headers(headers).get("content-type");
      sent.push([method, path, type, body instanceof URLSearchParams ? body.toString() : body]);
      if (method === "PUT") return new Response("", { status: 405, headers: { allow: "POST" } });
      return new Response("", { status: type === "application/json" ? 200 : 415 });
    });
    const update = (id: number) =>
      client.call({
        ...callOf(sensorUpdate, { id }),
        answer: Type.Unknown(),
        form: { name: "토양", widget: true },
      });
    await update(41);
    await update(42);
    const json = JSON.stringify({ name: "토양", widget: true });
    expect(sent.slice(2)).toEqual([
      ["POST", "/api/v1/sensor/update/41", "application/json", json],
      ["POST", "/api/v1/sensor/update/42", "application/json", json],
    ]);
  });

  it("[WAY-1] saves a mode as a form if JSON is rejected", async () => {
    const bodies: string[] = [];
    const client = createRestClient(tokens, async (_path, { body }) => {
      bodies.push(`${body}`);
      return new Response("", { status: body instanceof URLSearchParams ? 200 : 415 });
    });
    const body = { onTime: "06:00", wateringDuration: 10, repeat: 1 };
    await client.call({ ...callOf(reservationAdd, { channelId: 11 }), answer: Type.Unknown(), body });
    expect(bodies).toEqual([JSON.stringify(body), "onTime=06%3A00&wateringDuration=10&repeat=1"]);
  });
});
