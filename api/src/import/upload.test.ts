import { mkdtemp, readdir, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import multipart from "@fastify/multipart";
import Fastify from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { importForm } from "../../testing/import/import-form.ts";
import { ApiError } from "../http/api-error.ts";
import { receiveImport } from "./upload.ts";

const LIMIT = 1_000_000;
const MAPPING = {
  time: { columns: ["at"], format: "iso" },
  sensors: [{ serial: 1, fields: { moisture: { column: "moisture" } } }],
};
const app = Fastify();
let folder = "";
let received: Promise<unknown> | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mulkko-upload-"));
  await app.register(multipart, { limits: { fileSize: 10 } });
  app.post("/", async (request, reply) => {
    received = receiveImport(request, folder, LIMIT);
    try {
      return await received;
    } catch (error) {
      return reply.code(error instanceof ApiError ? error.status : 500).send({ message: String(error) });
    }
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const url = (): string => app.listeningOrigin;
const send = (file: string, mapping: object | string) => {
  const { payload, headers } = importForm(file, mapping);
  return fetch(url(), { method: "POST", headers, body: new Uint8Array(payload) });
};

test("[import] streams a file to the disk, and reads its mapping", async () => {
  const answer = await send("at,moisture\n", MAPPING);
  expect(await answer.json()).toMatchObject({ file: { name: "readings.csv", bytes: 12 }, mapping: MAPPING });
  expect(await readdir(folder)).toHaveLength(1);
});

test("[hostile] a file over the limit is 413, and leaves nothing on the disk", async () => {
  const before = await readdir(folder);
  expect((await send("x".repeat(5 * LIMIT), MAPPING)).status).toBe(413);
  expect((await send("a", "{".repeat(70_000))).status).toBe(413);
  expect(await readdir(folder)).toEqual(before);
});

test("[hostile] treats names as names, not as paths", async () => {
  const { payload, headers } = importForm("a\n", MAPPING);
  const body = payload.toString().replace("readings.csv", "../../etc/\u0007passwd");
  const answer = await fetch(url(), { method: "POST", headers, body });
  expect(await answer.json()).toMatchObject({ file: { name: "passwd" } });
  expect((await readdir(folder)).every((name) => /^[\w-]+\.csv$/.test(name))).toBe(true);
});

test("[hostile] an interrupted upload leaves nothing behind", async () => {
  const before = await readdir(folder);
  const { payload, headers } = importForm("x".repeat(200_000), MAPPING);
  const { port, hostname } = new URL(url());
  received = undefined;
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${payload.length}\r\ncontent-type: ${headers["content-type"]}\r\n\r\n`,
  );
  socket.write(payload.subarray(0, 100_000));
  while (received === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
  socket.destroy();
  await expect(received).rejects.toThrow("cannot be read");
  expect(await readdir(folder)).toEqual(before);
});
