import { expect, test } from "vitest";
import { createValveWorld, type ValveWorld } from "./testing/valve-world.ts";

const BUNDLED = { tells: true, timesRuns: true };
const UNTIMED = { tells: true, timesRuns: false };

const bearers = (world: ValveWorld, payload: 1 | 2) =>
  world.farm.sent.filter((command) => command.payload === payload).map(({ token }) => token);

test("[CRED-2] an opening bears the token of the person who pressed, each time that it is sent", async () => {
  const world = await createValveWorld(BUNDLED);
  world.farm.mood = "down";
  void world.press(1, { token: "token-of-lee" });
  await world.pass(20_000);
  expect(bearers(world, 1)).toEqual(["token-of-lee", "token-of-lee", "token-of-lee"]);
});

test("[CRED-2] a second person's opening bears theirs, not that of the one it follows", async () => {
  const world = await createValveWorld(BUNDLED);
  world.farm.mood = "down";
  void world.press(1);
  await world.pass(100);
  void world.press(2, { token: "token-of-kim" });
  await world.pass(100);
  world.farm.mood = "ok";
  void world.press(1, { token: "token-of-lee" });
  await world.pass(1_000);
  expect(bearers(world, 1)).toEqual(["token-of-kim", "token-of-lee"]);
});

test("[CRED-2] a second person who extends a run does so with their own token", async () => {
  const world = await createValveWorld(UNTIMED);
  void world.press(1, { maxRunSeconds: 60 });
  await world.pass(5_000);
  void world.press(1, { maxRunSeconds: 60, token: "token-of-lee", by: { id: "u2", nickname: "Lee" } });
  await world.pass(1_000);
  expect(bearers(world, 1)).toEqual(["token-of-kim", "token-of-lee"]);
});

test("[CRED-2] pressed by somebody else while it is pending, an opening stays the first one's", async () => {
  const world = await createValveWorld(BUNDLED);
  world.farm.mood = "down";
  void world.press(1);
  await world.pass(100);
  void world.press(1, { token: "token-of-lee" });
  await world.pass(4_000);
  expect(bearers(world, 1)).toEqual(["token-of-kim", "token-of-kim"]);
});

test("[CRED-2] after a restart nobody's token is there, and the opening is not sent again", async () => {
  const world = await createValveWorld(BUNDLED);
  world.farm.mood = "down";
  void world.press(1);
  await world.pass(100);
  world.kill();
  world.farm.mood = "ok";
  await world.start();
  await world.pass(60_000);
  expect(bearers(world, 1)).toEqual(["token-of-kim"]);
  expect(world.farm.open).toBe(false);
});

test("[CRED-1] the relay's own close bears no person's token before its session was turned away", async () => {
  const world = await createValveWorld(UNTIMED);
  void world.press(1, { maxRunSeconds: 30 });
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

test("[CRED-1] the relay's own close after a restart is sent without anybody's token", async () => {
  const world = await createValveWorld(UNTIMED);
  void world.press(1, { maxRunSeconds: 30 });
  await world.pass(5_000);
  world.kill();
  await world.start();
  await world.pass(30_000);
  expect(bearers(world, 2)).toEqual([undefined]);
  expect(world.farm.open).toBe(false);
});

test("[CRED-1] a person's close bears their token, and the relay's session once that was turned away", async () => {
  const world = await createValveWorld(UNTIMED);
  void world.press(1);
  await world.pass(1_000);
  world.farm.mood = "refuse";
  void world.press(2, { token: "token-of-lee" });
  await world.pass(3_000);
  expect(bearers(world, 2)).toEqual(["token-of-lee", undefined]);
});

test("[CRED-1] a person's close bears their token first, also after an opening of theirs that was refused", async () => {
  const world = await createValveWorld(UNTIMED);
  world.farm.mood = "refuse";
  void world.press(1);
  await world.pass(1_000);
  world.farm.mood = "ok";
  void world.press(2);
  await world.pass(1_000);
  expect(bearers(world, 2)).toEqual(["token-of-kim"]);
});

test("[CRED-2] no token is ever stored or told", async () => {
  const world = await createValveWorld(BUNDLED);
  void world.press(1, { maxRunSeconds: 60 });
  await world.pass(5_000);
  void world.press(2, { token: "token-of-lee" });
  await world.pass(5_000);
  expect(world.farm.sent).toHaveLength(2);
  expect(world.store.steps.length).toBeGreaterThan(0);
  const kept = JSON.stringify([world.store.steps, world.writer.events, world.channel()]);
  expect(kept).not.toContain("token-of");
});
