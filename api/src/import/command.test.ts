import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PASSWORD, SOIL, startTestFarm, type TestFarm } from "../../testing/test-farm.ts";
import { importCommand, type Terminal } from "./command.ts";

const MAPPING = {
  time: { columns: ["at"], format: "YYYY-MM-DD HH:mm", zone: "Asia/Seoul" },
  sensors: [{ serial: SOIL.serial, fields: { moisture: { column: "moisture" } } }],
};

let farm: TestFarm;
let folder = "";
let url = "";
beforeAll(async () => {
  farm = await startTestFarm();
  url = await farm.app.listen({ host: "127.0.0.1", port: 0 });
  folder = await mkdtemp(join(tmpdir(), "mulkko-import-"));
  await writeFile(join(folder, "mapping.json"), JSON.stringify(MAPPING));
  await writeFile(join(folder, "good.csv"), "at,moisture\n2026-11-01 00:00,30\n2026-11-01 00:10,31\n");
  await writeFile(join(folder, "bad.csv"), "at,moisture\n2026-11-01 00:00,30\nyesterday,31\n");
});
afterAll(async () => {
  await farm.close();
  await rm(folder, { recursive: true, force: true });
});

async function run(args: readonly string[], more: Partial<Terminal> = {}) {
  const said: string[] = [];
  const shown: string[] = [];
  const asked: string[] = [];
  const code = await importCommand(args, {
    environment: { MULKKO_PASSWORD: PASSWORD },
    folder,
    say: (line) => void said.push(line),
    show: (line) => void shown.push(line ?? ""),
    ask: async (question) => {
      asked.push(question);
      return question.startsWith("User") ? "overseer" : PASSWORD;
    },
    wait: () => new Promise((resolve) => setTimeout(resolve, 5)),
    signal: new AbortController().signal,
    ...more,
  });
  return { code, said: said.join("\n"), shown: shown.join("\n"), asked };
}
const args = (file: string, ...more: string[]): string[] => [
  "--",
  "--file",
  file,
  "--mapping",
  "mapping.json",
  "--url",
  url,
  ...more,
];

test("[import] the command sends a file, shows its progress, and reports the stored readings", async () => {
  const { code, said, shown, asked } = await run(args("good.csv", "--username", "overseer"));
  expect([code, asked]).toEqual([0, []]);
  expect(said).toContain("2 readings stored, 0 known before");
  expect(shown).toContain("Sending [##############################] 100 %");
});

test("[import] asks for a missing name and password", async () => {
  const { code, asked } = await run(args("good.csv"), { environment: {} });
  expect([code, asked]).toEqual([0, ["Username: ", "Password: "]]);
});

test("[import] lists rejects and exits with code 1, unless rejects are allowed", async () => {
  const { code, said } = await run(args("bad.csv", "--username", "overseer"));
  expect(code).toBe(1);
  expect(said).toContain("line 3, at: bad-time (yesterday)");
  expect((await run(args("bad.csv", "--username", "overseer", "--allow-rejects"))).code).toBe(0);
});

test("[import] an interrupt cancels the import", async () => {
  const rows = Array.from({ length: 30_000 }, (_, index) => {
    const at = new Date(Date.UTC(2022, 0, 1) + index * 60_000).toISOString().slice(0, 16).replace("T", " ");
    return `${at},${index % 100}\n`;
  });
  await writeFile(join(folder, "long.csv"), `at,moisture\n${rows.join("")}`);
  const stop = new AbortController();
  stop.abort();
  const { code, said } = await run(args("long.csv", "--username", "overseer"), { signal: stop.signal });
  expect([code, said]).toEqual([130, expect.stringContaining("Cancelled.")]);
});

test("[import] explains a failure in a sentence, and exits with code 1", async () => {
  const all = await Promise.all([
    run([]),
    run(["--file", "x", "--what"]),
    run(args("absent.csv", "--username", "overseer")),
    run([
      "--file",
      "good.csv",
      "--mapping",
      "mapping.json",
      "--url",
      "http://127.0.0.1:9",
      "--username",
      "x",
    ]),
    run(args("good.csv", "--username", "farmer-one")),
  ]);
  expect(all.map(({ code }) => code)).toEqual([1, 1, 1, 1, 1]);
  const [usage = "", unknown = "", absent = "", away = "", farmer = ""] = all.map(({ said }) => said);
  expect(usage).toContain("--file and --mapping are needed");
  expect(unknown).toContain("Usage:");
  expect(absent).toContain("A file cannot be read");
  expect(away).toContain("does not answer");
  expect(farmer).toContain("Refused (403): for administrators only");
});
