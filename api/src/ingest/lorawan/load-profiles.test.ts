import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { BUNDLED_PROFILES, loadProfiles } from "./load-profiles.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "mulkko-profiles-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const own = {
  name: "dragino-lse01",
  maker: "Dragino",
  model: "LSE01 with a codec of our own",
  source: "https://example.org/codec.js",
  licence: "MIT",
  deviceTypes: ["SMS"],
  fields: { moisture: { path: "wet" } },
};

test("[uplink] a farm's own profile replaces the bundled one of its name; other files are ignored", async () => {
  await writeFile(join(folder, "dragino-lse01.json"), JSON.stringify(own));
  await writeFile(join(folder, "notes.txt"), "not a profile");
  const profiles = await loadProfiles([BUNDLED_PROFILES, folder, join(folder, "nowhere")]);
  expect(profiles.get("dragino-lse01")?.fields.map(({ name }) => name)).toEqual(["moisture"]);
  expect(profiles.has("dragino-lht65n")).toBe(true);
  expect(profiles.has("notes")).toBe(false);
});

test.each([
  ["{", "The device profile mine cannot be used: it is not JSON."],
  ["[]", "The device profile mine cannot be used: it must be object."],
  [JSON.stringify(own), "The device profile mine cannot be used: it calls itself dragino-lse01."],
])("[uplink] the file %s stops with a sentence", async (text, sentence) => {
  await writeFile(join(folder, "mine.json"), text);
  await expect(loadProfiles([folder])).rejects.toThrow(sentence);
});

test("[uplink] the profile in docs/devices.md is valid", async () => {
  const text = await readFile(join(import.meta.dirname, "../../../../docs/devices.md"), "utf8");
  const example = /```json\n([\s\S]*?)```/.exec(text)?.[1] ?? "";
  await writeFile(join(folder, "my-soil.json"), example);
  expect([...(await loadProfiles([folder])).keys()]).toEqual(["my-soil"]);
});
