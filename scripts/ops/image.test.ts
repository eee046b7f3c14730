import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ROOT } from "../root.ts";
import { copiedFromProject, imageClaims, layOutImage } from "./image.ts";

const dockerfile = (): Promise<string> => readFile(join(ROOT, "Dockerfile"), "utf8");

describe("the image", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "mulkko-image-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Run a command of the image until its output contains a text. */
  const says = async (
    command: readonly string[],
    env: Record<string, string>,
    text: RegExp,
  ): Promise<void> => {
    const [program = "", ...args] = command;
    const child = spawn(program === "node" ? process.execPath : program, args, {
      cwd: join(folder, "mulkko"),
      env: { PATH: process.env.PATH ?? "", NODE_ENV: "production", LOG_LEVEL: "silent", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ended = once(child, "exit");
    let output = "";
    const keep = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    try {
      await vi.waitFor(() => expect(output).toMatch(text), { timeout: 50_000, interval: 100 });
    } finally {
      child.kill("SIGKILL");
      await ended;
    }
  };

  it("[image] copies existing files, and runs as a user without rights", async () => {
    const text = await dockerfile();
    const sources = copiedFromProject(text);
    expect(sources.length).toBeGreaterThan(10);
    for (const source of sources) expect(existsSync(join(ROOT, source)), source).toBe(true);
    expect(imageClaims(text).user).toBe("node");
  });

  it("[image] starts relay and API from only the files that it contains", async () => {
    const { command } = await layOutImage(ROOT, join(folder, "mulkko"));
    const data = join(folder, "data");
    await mkdir(data);
    await says(
      command,
      {
        HOST: "127.0.0.1",
        PORT: "0",
        API_URL: "http://127.0.0.1:9",
        RELAY_MQTT_URL: "off",
        DATA_DIR: join(data, "relay"),
      },
      /"event":"started","port":\d+/,
    );
    await says(
      ["node", "api/src/main.ts"],
      {
        API_HOST: "127.0.0.1",
        API_PORT: "0",
        MQTT_HOST: "127.0.0.1",
        MQTT_PORT: "0",
        DEMO: "off",
        DATA_DIR: join(data, "api"),
      },
      /"event":"started","port":\d+/,
    );
  }, 120_000);
});
