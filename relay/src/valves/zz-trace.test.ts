import { test } from "vitest";
import { live } from "/work/main/relay/src/valves/testing/valve-invariants.ts";

test("trace", async () => {
  const story = JSON.parse(process.env.STORY ?? "");
  process.env.TRACE = "1";
  await live(story);
}, 60000);
