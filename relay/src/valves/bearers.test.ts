import { expect, test } from "vitest";
import { createValveWorld, type ValveWorld } from "../../testing/valves/valve-world.ts";

const BUNDLED = { reportsDetails: true, timesRuns: true };
const UNTIMED = { reportsDetails: true, timesRuns: false };

const bearers = (world: ValveWorld, payload: 1 | 2) =>
  world.farm.sent.filter((command) => command.payload === payload).map(({ token }) => token);

test("[CRED-2] sends an opening with the token of the person who gave the command, on every attempt", async () => {
  const world = await createValveWorld(BUNDLED);
  world.farm.mood = "down";
  void world.command(1, { token: "token-of-lee" });
  await world.pass(20_000);
  expect(bearers(world, 1)).toEqual(["token-of-lee", "token-of-lee", "token-of-lee"]);
});

test("[CRED-2] sends a second person's opening with their own token, not with that of the opening before", async () => {
  const world = await createValveWorld(BUNDLED);
  world.farm.mood = "down";
  void world.command(1);
  await world.pass(100);
  void world.command(2, { token: "token-of-kim" });
  await world.pass(100);
  world.farm.mood = "ok";
  void world.command(1, { token: "token-of-lee" });
  await world.pass(1_000);
  expect(bearers(world, 1)).toEqual(["token-of-kim", "token-of-lee"]);
});

test("[CRED-2] extends a run with the token of the person who extends it", async () => {
  const world = await createValveWorld(UNTIMED);
  void world.command(1, { maxRunSeconds: 60 });
  await world.pass(5_000);
  void world.command(1, { maxRunSeconds: 60, token: "token-of-lee", by: { id: "u2", nickname: "Lee" } });
  await world.pass(1_000);
  expect(bearers(world, 1)).toEqual(["token-of-kim", "token-of-lee"]);
});

test("[CRED-2] keeps the first person's token when another person gives the same command while it is pending", async () => {
  const world = await createValveWorld(BUNDLED);
  world.farm.mood = "down";
  void world.command(1);
  await world.pass(100);
  void world.command(1, { token: "token-of-lee" });
  await world.pass(4_000);
  expect(bearers(world, 1)).toEqual(["token-of-kim", "token-of-kim"]);
});

test("[CRED-2] does not send an opening again after a restart, because no person's token is left", async () => {
  const world = await createValveWorld(BUNDLED);
  world.farm.mood = "down";
  void world.command(1);
  await world.pass(100);
  world.kill();
  world.farm.mood = "ok";
  await world.start();
  await world.pass(60_000);
  expect(bearers(world, 1)).toEqual(["token-of-kim"]);
  expect(world.farm.open).toBe(false);
});

test("[CRED-1] sends the relay's own close without a person's token until the relay's session is rejected", async () => {
  const world = await createValveWorld(UNTIMED);
  void world.command(1, { maxRunSeconds: 30 });
  await world.pass(29_000);
  world.farm.mood = "refuse";
  await world.pass(1_500);
  expect(bearers(world, 2)).toEqual([undefined]);
  await world.pass(2_000);
  expect(bearers(world, 2)).toEqual([undefined, "token-of-kim"]);
  world.farm.mood = "ok";
  await world.pass(10_000);
  expect(bearers(world, 2).slice(2)).toEqual([undefined]);
  expect(world.farm.open).toBe(false);
});

test("[CRED-1] sends the relay's own close without a person's token after a restart", async () => {
  const world = await createValveWorld(UNTIMED);
  void world.command(1, { maxRunSeconds: 30 });
  await world.pass(5_000);
  world.kill();
  await world.start();
  await world.pass(30_000);
  expect(bearers(world, 2)).toEqual([undefined]);
  expect(world.farm.open).toBe(false);
});

test("[CRED-1] sends a person's close with their token, and with the relay's session once the token was rejected", async () => {
  const world = await createValveWorld(UNTIMED);
  void world.command(1);
  await world.pass(1_000);
  world.farm.mood = "refuse";
  void world.command(2, { token: "token-of-lee" });
  await world.pass(3_000);
  expect(bearers(world, 2)).toEqual(["token-of-lee", undefined]);
});

test("[CRED-1] sends a rejected close within 10 s of another token, without the rejected token", async () => {
  const world = await createValveWorld(UNTIMED);
  void world.command(1, { maxRunSeconds: 30 });
  await world.pass(29_000);
  world.farm.mood = "signed-out";
  await world.pass(90_000);
  const before = bearers(world, 2);
  expect(before.filter((token) => token !== undefined)).toEqual(["token-of-kim"]);
  world.farm.mood = "ok";
  world.service.credentialLent();
  await world.pass(10_500);
  expect(bearers(world, 2).slice(before.length)).toEqual([undefined]);
  expect(world.farm.open).toBe(false);
});

test("[CMD-17] a token that comes with an opening sends no close that the API took again, right before it", async () => {
  const world = await createValveWorld(UNTIMED);
  world.farm.turn(true, "hand");
  await world.pass(2_000);
  // The valve does not obey.
  world.farm.obeyMs = 600_000;
  void world.command(2);
  await world.pass(100_000);
  const closes = bearers(world, 2).length;
  world.service.credentialLent();
  void world.command(1, { token: "token-of-lee" });
  await world.pass(1_000);
  expect(bearers(world, 2)).toHaveLength(closes);
  expect(bearers(world, 1)).toEqual(["token-of-lee"]);
});

test("[CRED-1] tries a person's token first for their close, also after their opening was rejected", async () => {
  const world = await createValveWorld(UNTIMED);
  world.farm.mood = "refuse";
  void world.command(1);
  await world.pass(1_000);
  world.farm.mood = "ok";
  void world.command(2);
  await world.pass(1_000);
  expect(bearers(world, 2)).toEqual(["token-of-kim"]);
});

test("[CRED-2] never stores or publishes a token", async () => {
  const world = await createValveWorld(BUNDLED);
  void world.command(1, { maxRunSeconds: 60 });
  await world.pass(5_000);
  void world.command(2, { token: "token-of-lee" });
  await world.pass(5_000);
  expect(world.farm.sent).toHaveLength(2);
  expect(world.store.steps.length).toBeGreaterThan(0);
  const kept = JSON.stringify([world.store.steps, world.writer.events, world.channel()]);
  expect(kept).not.toContain("token-of");
});
