import { describe, expect, it } from "vitest";
import { newCommandId, pressValve, withdrawOpening } from "./command.ts";
import type { Call } from "./http.ts";

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
    const press = {
      commandId: "k",
      form: "controller",
      controllerId: "c",
      number: 3,
      pressed: null,
    } as const;
    await pressValve(rest, { ...press, target: 1, runSeconds: 60 });
    await pressValve(rest, { ...press, form: "sensor", target: 2, runSeconds: null });
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
    await pressValve(rest, { ...press, target: 1, runSeconds: 60, pressed });
    await withdrawOpening(rest, { ...press, target: 1, runSeconds: 60, pressed });
    const said = { pressedAt: "2026-11-21T03:00:00.000Z", pressedWithinMs: 20, maxRunSeconds: 60 };
    expect(sent.slice(2)).toMatchObject([{ body: said }, { path: "/relay/commands/k/withdraw", body: said }]);
  });
});
