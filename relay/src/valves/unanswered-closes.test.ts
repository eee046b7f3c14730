import { describe, expect, test } from "vitest";
import { createValveWorld } from "../../testing/valves/valve-world.ts";
import { UnansweredCloses } from "./unanswered-closes.ts";

describe("closes without an answer", () => {
  test("[CMD-17] are named until the farm API has answered them; one of unknown fate stays", () => {
    const closes = new UnansweredCloses();
    for (const id of ["done", "refused", "not-sent", "lost", "waiting"]) closes.sent(id);
    closes.answered("done", { kind: "accepted", commandId: null });
    closes.answered("refused", { kind: "refused", status: 403, code: "forbidden", message: "" });
    closes.answered("not-sent", { kind: "not-sent", message: "" });
    closes.answered("lost", { kind: "unknown", message: "" });
    expect(closes.ids).toEqual(["lost", "waiting"]);
  });

  test("[W-14] are named by the opening that comes after them, which the farm API then lets run", async () => {
    const world = await createValveWorld({ reportsDetails: true, timesRuns: true });
    world.farm.mood = "lost-undone";
    world.command(2, { commandId: "close-1" });
    await world.pass(20_000);
    const closes = world.farm.sent.map(({ commandId }) => commandId);
    world.farm.mood = "ok";
    world.command(1, { commandId: "open-1", maxRunSeconds: 600 });
    await world.pass(1_000);
    expect(closes).toContain("close-1");
    expect(world.farm.sent.at(-1)).toMatchObject({ payload: 1, replaces: closes });
  });

  test("[CMD-17] are 32 at most, the newest", () => {
    const closes = new UnansweredCloses();
    for (let one = 0; one < 40; one += 1) closes.sent(`close-${one}`);
    expect(closes.ids).toHaveLength(32);
    expect(closes.ids.at(-1)).toBe("close-39");
  });
});
