import { describe, expect, it } from "vitest";
import { createRestClient } from "./client.ts";
import { fateOf, fetchCommands, sendSetting } from "./commands.ts";

function setUp(answer: object) {
  const sent: { line: string; body: unknown; key: string | null }[] = [];
  const fetcher = async (path: string, init: RequestInit): Promise<Response> => {
    const body: unknown = typeof init.body === "string" ? JSON.parse(init.body) : null;
    sent.push({
      line: `${init.method} ${path}`,
      body,
      key: new Headers(init.headers).get("idempotency-key"),
    });
    return new Response(JSON.stringify(answer));
  };
  const rest = createRestClient({ accessToken: () => "token", refresh: async () => null }, fetcher);
  return { rest, sent };
}
const TAKEN = { commandId: "k", state: "accepted", target: null, until: null };

describe("commands that move no valve", () => {
  it("[modes] resets a controller's mode by controller/cmd with payload 1", async () => {
    const { rest, sent } = setUp(TAKEN);
    const fate = await sendSetting(rest, {
      commandId: "k",
      form: "controller",
      controllerId: "c",
      number: 3,
      command: "period/reset",
      payload: 1,
      pressed: null,
    });
    expect(fate).toEqual({ kind: "taken" });
    expect(sent).toEqual([
      {
        line: "POST /api/v1/controller/cmd",
        body: { uuid: "c", command: "period/reset", deviceType: "controller", channel: 3, payload: 1 },
        key: "k",
      },
    ]);
  });

  it("[modes] uses the older call with the same fields for a COT sensor", async () => {
    const { rest, sent } = setUp(TAKEN);
    await sendSetting(rest, {
      commandId: "k",
      form: "sensor",
      controllerId: "s",
      number: 2,
      command: "reservation/time",
      payload: "06:30",
      pressed: { at: Date.parse("2026-11-23T01:00:00Z"), withinMs: 20 },
    });
    expect(sent[0]).toMatchObject({
      line: "POST /api/v1/sensor/cmd",
      body: {
        uuid: "s",
        command: "reservation/time",
        channel: 2,
        payload: "06:30",
        pressedAt: "2026-11-23T01:00:00.000Z",
        pressedWithinMs: 20,
      },
    });
  });

  it("[CMD-1] reports a refusal as such, and a missing answer not as success", () => {
    expect(fateOf({ state: "refused", reason: "validation" })).toEqual({
      kind: "refused",
      reason: "validation",
    });
    expect(fateOf({ state: "failed", reason: "upstream-down" }).kind).toBe("refused");
    expect(fateOf({ state: "unconfirmed", reason: "no-answer" }).kind).toBe("unsure");
    expect(fateOf({ state: "requested" })).toEqual({ kind: "unsure", reason: "no-answer" });
  });

  it("[CMD-9] requests the log of one channel, also of a COT sensor", async () => {
    const { rest, sent } = setUp({ commands: [] });
    await fetchCommands(rest, "s-1:2", new AbortController().signal);
    expect(sent[0]?.line).toBe("GET /relay/commands?channel=s-1%3A2");
  });
});
