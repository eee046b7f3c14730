import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "./chromium.ts";
import { startMosquitto } from "./mosquitto.ts";
import { mosquittoPub } from "./mosquitto-pub.ts";
import { type RunningPostgres, startPostgres } from "./postgres.ts";
import { startRedis } from "./redis.ts";

/** Send bytes to a TCP server and return the first bytes of its answer. */
const ask = (port: number, bytes: string | Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    socket.once("error", reject);
    socket.once("data", (answer) => {
      socket.destroy();
      resolve(answer);
    });
  });

const isRefused = (port: number): Promise<boolean> =>
  ask(port, "").then(
    () => false,
    () => true,
  );

describe("the real engines", () => {
  it("[engines] a Mosquitto with users accepts the right key and refuses a wrong one", async () => {
    const broker = await startMosquitto({
      users: { S1: "right" },
      acl: "user S1\ntopic write mulkko/S1/up\n",
    });
    const publication = { ...broker, user: "S1", topic: "mulkko/S1/up", message: "{}" };
    await expect(mosquittoPub({ ...publication, password: "right" })).resolves.toBeUndefined();
    await expect(mosquittoPub({ ...publication, password: "wrong" })).rejects.toThrow(/not authori[sz]ed/i);
    await broker.stop();
    expect(await isRefused(broker.port)).toBe(true);
  });

  it("[engines] a Mosquitto can be started again at its port", async () => {
    const first = await startMosquitto();
    await first.stop();
    const second = await startMosquitto({ port: first.port });
    await second.stop();
    expect(second.url).toBe(first.url);
  });

  it("[engines] Redis answers a ping", async () => {
    const redis = await startRedis();
    const answer = await ask(Number(new URL(redis.url).port), "PING\r\n");
    await redis.stop();
    expect(answer.toString()).toBe("+PONG\r\n");
  });

  it("[engines] Chromium draws a page", async () => {
    const browser = await launchChromium();
    const page = await browser.newPage();
    await page.setContent("<h1>물꼬</h1>");
    expect(await page.textContent("h1")).toBe("물꼬");
    await browser.close();
  });
});

describe("PostgreSQL", () => {
  let postgres: RunningPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.stop());

  it("[engines] answers on the port of its address, also when the tests run as root", async () => {
    // An SSLRequest: the smallest question of the protocol; "N" is a server without certificates.
    const sslRequest = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);
    const answer = await ask(Number(new URL(postgres.url).port), sslRequest);
    expect(answer.toString()).toBe("N");
  });
});
