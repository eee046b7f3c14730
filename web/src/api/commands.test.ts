import { describe, expect, it } from "vitest";
import { createRestClient } from "./client.ts";
import {
  fateOf,
  fetchCommands,
  newCommandId,
  sendSetting,
  sendValveCommand,
  withdrawOpening,
} from "./commands.ts";
import type { Call } from "./http.ts";

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

describe("command", () => {
  it("[CMD-7] creates a unique id for each press, also without crypto.randomUUID", () => {
    const ids = Array.from({ length: 100 }, newCommandId);
    expect(new Set(ids).size).toBe(100);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it("[CMD-10] sends run time and press time with an opening, also when withdrawing it", async () => {
    const sent: Pick<Call<never>, "path" | "body" | "headers">[] = [];
    const rest = {
      call: (call: { path: string; body?: unknown; headers?: Readonly<Record<string, string>> }) => {
        sent.push(call as never);
        return Promise.resolve({ commandId: "k", state: "requested", target: 1, until: null } as never);
      },
    };
    const command = {
      commandId: "k",
      form: "controller",
      controllerId: "c",
      number: 3,
      pressed: null,
    } as const;
    await sendValveCommand(rest, { ...command, target: 1, runSeconds: 60 });
    await sendValveCommand(rest, { ...command, form: "sensor", target: 2, runSeconds: null });
    expect(sent).toMatchObject([
      {
        path: "/api/v1/controller/cmd",
        body: { uuid: "c", command: "onoff", channel: 3, payload: 1, maxRunSeconds: 60 },
        headers: { "Idempotency-Key": "k" },
      },
      { path: "/api/v1/sensor/cmd", body: { uuid: "c", command: "onoff", channel: 3, payload: 2 } },
    ]);
    expect(sent[1]?.body).not.toHaveProperty("maxRunSeconds");
    expect(sent[0]?.body).not.toHaveProperty("pressedAt");
    const pressed = { at: Date.parse("2026-11-21T03:00:00Z"), withinMs: 20 };
    await sendValveCommand(rest, { ...command, target: 1, runSeconds: 60, pressed });
    await withdrawOpening(rest, { ...command, target: 1, runSeconds: 60, pressed });
    const said = { pressedAt: "2026-11-21T03:00:00.000Z", pressedWithinMs: 20, maxRunSeconds: 60 };
    expect(sent.slice(2)).toMatchObject([{ body: said }, { path: "/relay/commands/k/withdraw", body: said }]);
  });
});
