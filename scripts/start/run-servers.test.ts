import { createServer } from "node:http";
import { freePort } from "@mulkko/testing/engines/free-port";
import { afterEach, describe, expect, it } from "vitest";
import { type FakeServers, startFakeServers } from "./fake-servers.ts";
import { isPortInUse } from "./port-in-use.ts";

let servers: FakeServers | undefined;
const start = async (environment: Record<string, string> = {}): Promise<FakeServers> => {
  servers = await startFakeServers(environment);
  return servers;
};
afterEach(() => servers?.remove());

const count = (text: string, part: string): number => text.split(part).length - 1;

describe("the servers of start", () => {
  it("[start] prints address and accounts once the page answers, with the name before each line", async () => {
    const { says, output, port } = await start();
    await says("Ctrl-C");
    expect(output()).toContain(`http://localhost:${port}\n`);
    expect(output()).toContain("Log in as farmer, neighbor or admin. The password is mulkko2026!");
    expect(output()).toContain("Only this machine reaches the demo.");
    expect(output()).toContain("relay │ listening");
  });

  it("[start] shows no demo account where there is no demo", async () => {
    const { says, output } = await start({ DEMO: "off" });
    await says("Ctrl-C");
    expect(output()).not.toContain("mulkko2026!");
  });

  it("[start] of an empty installation prints the setup code and the address last", async () => {
    const { says, output, port } = await start({ DEMO: "off", EMPTY: "yes" });
    await says(`  http://localhost:${port}\n`);
    const end = output().slice(output().indexOf("is running"));
    expect(end).toMatch(/with this setup code: {2}ABCDEFGH2345\n\n {2}http:\/\/localhost:\d+\n─+\n/);
    expect(output()).not.toContain("account of your own");
  });

  it("[start] on a terminal prints a short log: version first, level, time and message, no stack, no successful request", async () => {
    const { says, output } = await start();
    await says("Ctrl-C");
    expect(output().split("\n")[0]).toBe("Mulkko 9.8.7");
    expect(output()).toMatch(/relay │ \[\d\d:\d\d:\d\d\] WARN: broker unavailable: it is away\n/);
    for (const word of ["request completed", "at line 1", '{"']) expect(output()).not.toContain(word);
  });

  it("[start] into a pipe prints one JSON object per line, each with its process", async () => {
    const { says, output } = await start({ PIPED: "yes" });
    await says("is running at");
    const lines = output()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ process: "start", event: "start", msg: "Mulkko 9.8.7" });
    expect(lines).toContainEqual(expect.objectContaining({ process: "relay", msg: "listening" }));
    expect(lines).toContainEqual(
      expect.objectContaining({
        process: "api",
        level: 40,
        err: { message: "it is away", stack: "at line 1" },
      }),
    );
  });

  it.each(["SIGINT", "SIGTERM"] as const)(
    "[start] passes %s on once, waits, and ends with 0",
    async (signal) => {
      const { says, output, child, ended } = await start();
      await says("Ctrl-C");
      child.kill(signal);
      expect(await ended()).toBe(0);
      expect(count(output(), `received ${signal}`)).toBe(2);
      expect(output()).not.toContain("by itself");
    },
  );

  it("[start] restarts the API when it ends by itself, while the relay continues", async () => {
    const { says, output, port, apiPort, child, ended } = await start();
    await says("Ctrl-C");
    await expect(fetch(`http://localhost:${apiPort}/end`)).rejects.toThrow();
    await says("The api has ended by itself (exit code 3); it is started again.");
    expect((await fetch(`http://localhost:${port}/health`)).ok).toBe(true);
    const isBack = () =>
      fetch(`http://localhost:${apiPort}/health`).then(
        ({ ok }) => ok,
        () => false,
      );
    await expect.poll(isBack, { timeout: 20_000 }).toBe(true);
    expect(count(output(), "relay │ listening")).toBe(1);
    child.kill("SIGTERM");
    expect(await ended()).toBe(0);
    expect(count(output(), "received SIGTERM")).toBe(2);
  });

  it("[start] ends all processes on a stop, also one that waits for its restart", async () => {
    const { says, child, apiPort, ended } = await start();
    await says("Ctrl-C");
    await expect(fetch(`http://localhost:${apiPort}/end`)).rejects.toThrow();
    await says("it is started again");
    child.kill("SIGINT");
    expect(await ended()).toBe(0);
  });

  it("[start] ends with an explanation and the API's exit code when the API ends five times within a minute", async () => {
    const { says, output, apiPort, ended } = await start();
    await says("Ctrl-C");
    const isEnded = () =>
      fetch(`http://localhost:${apiPort}/end`).then(
        () => false,
        (error: unknown) =>
          String(error instanceof Error ? error.cause : error).includes("other side closed"),
      );
    for (let end = 0; end < 5; end += 1) await expect.poll(isEnded, { timeout: 30_000 }).toBe(true);
    expect(await ended()).toBe(3);
    expect(output()).toContain(
      "The api has ended by itself (exit code 3), 5 times within a minute; everything is stopped.",
    );
    expect(output()).toContain("relay │ received SIGTERM");
  });

  it("[start] does not restart a process that ends before all have answered", async () => {
    const { output, ended } = await start({ ENDS_AT_ONCE: "yes" });
    expect(await ended()).toBe(3);
    expect(output()).toContain("The api has ended by itself (exit code 3); everything is stopped.");
  });

  it("[start] starts no API where API_URL names one", async () => {
    const { says, output, child, ended } = await start({ API_URL: "http://localhost:1" });
    await says("Ctrl-C");
    child.kill("SIGTERM");
    await ended();
    expect(output()).not.toContain("api   │");
  });

  it("[start] names the port that is in use and its variable, and starts nothing", async () => {
    const port = await freePort();
    const other = createServer();
    await new Promise<void>((done) => other.listen(port, done));
    const { ended, output } = await start({ API_PORT: String(port) });
    expect(await ended()).toBe(1);
    await new Promise((done) => other.close(done));
    expect(output()).toContain(
      `Port ${port} is in use. Choose another one: API_PORT=${port + 1000} npx -y pnpm@12 start\n`,
    );
  });

  it("[start] leaves no server behind when it is killed without cleaning up", async () => {
    const { says, child, port, apiPort } = await start();
    await says("Ctrl-C");
    child.kill("SIGKILL");
    await expect.poll(() => isPortInUse(port), { timeout: 10_000 }).toBe(false);
    await expect.poll(() => isPortInUse(apiPort), { timeout: 10_000 }).toBe(false);
  });
});
