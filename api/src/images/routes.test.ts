import { readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { accountImage, accountInfo } from "@mulkko/shared/rest/operations/account";
import { adminAudit } from "@mulkko/shared/rest/operations/admin";
import { controllerImage, controllerRead } from "@mulkko/shared/rest/operations/controllers";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { sensorImage, sensorListOfType } from "@mulkko/shared/rest/operations/sensors";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { jpegOf, pngOf, webpOf } from "../../testing/image-bytes.ts";
import {
  FOREIGN,
  FOREIGN_VALVES,
  SOIL,
  startTestFarm,
  type TestFarm,
  VALVES,
} from "../../testing/test-farm.ts";
import { sweepImages } from "./repository.ts";

let farm: TestFarm;
let farmer = "";
let overseer = "";
beforeAll(async () => {
  farm = await startTestFarm();
});
afterAll(() => farm.close());
beforeEach(async () => {
  farm.clock.advance(11 * 60_000);
  farmer = (await farm.signIn("farmer-one")).authorization;
  overseer = (await farm.signIn("overseer")).authorization;
});

const ACCOUNT = accountImage.path;
const sensor = (id: string) => pathTo(sensorImage, { id });
const controller = (id: string) => pathTo(controllerImage, { id });

/** Build a multipart body with the file under `field`. */
function formOf(bytes: Buffer, field = "image", filename = "photo.png", type = "image/png") {
  const boundary = "----field";
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${filename}"\r\nContent-Type: ${type}\r\n\r\n`;
  const payload = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return { payload, headers: { "content-type": `multipart/form-data; boundary=${boundary}` } };
}
const send = (
  url: string,
  form: ReturnType<typeof formOf>,
  authorization = farmer,
  method: "PUT" | "POST" = "PUT",
) => farm.app.inject({ method, url, payload: form.payload, headers: { ...form.headers, authorization } });
const upload = (url: string, bytes: Buffer, authorization = farmer) =>
  send(url, formOf(bytes), authorization);
const files = () => readdir(join(farm.folder, "images"));

describe("[image] upload", () => {
  test("[image] stores the caller's image, shows it in info, serves it publicly, and removes the previous one", async () => {
    const first = await upload(ACCOUNT, pngOf(10, 10));
    expect(first.statusCode).toBe(200);
    expect(first.json()).toEqual({ imagePath: expect.stringMatching(/^\/images\/[0-9a-f]{32}\.png$/) });
    const second = await send(ACCOUNT, formOf(jpegOf(20, 10)), farmer, "POST");
    const { imagePath } = second.json();
    expect(imagePath).toMatch(/\.jpg$/);
    const info = await farm.app.inject({ url: accountInfo.path, headers: { authorization: farmer } });
    expect(info.json().imagePath).toBe(imagePath);
    const image = await farm.app.inject({ url: imagePath });
    expect(image.rawPayload).toEqual(jpegOf(20, 10));
    expect(image.headers).toMatchObject({
      "content-type": "image/jpeg",
      "x-content-type-options": "nosniff",
      "cache-control": "public, max-age=31536000, immutable",
      "content-security-policy": "default-src 'none'; sandbox",
    });
    expect((await farm.app.inject({ url: first.json().imagePath })).statusCode).toBe(404);
    expect(await files()).toEqual([imagePath.slice("/images/".length)]);
  });

  test("[image] shows the images of a sensor and a controller in their lists", async () => {
    const one = (await upload(sensor(SOIL.id), webpOf("VP8L", 9, 9))).json().imagePath;
    const two = (await upload(controller(VALVES.id), pngOf(9, 9))).json().imagePath;
    const get = (url: string) => farm.app.inject({ url, headers: { authorization: farmer } });
    expect((await get(pathTo(sensorListOfType, { deviceType: "SMS" }))).json()[0].imagePath).toBe(one);
    expect((await get(pathTo(controllerRead, { id: VALVES.id }))).json().imagePath).toBe(two);
  });

  test("[image] an administrator sets that of another account's device, and the audit records it", async () => {
    expect((await upload(sensor(FOREIGN.id), pngOf(5, 5), overseer)).statusCode).toBe(200);
    const audit = await farm.app.inject({ url: adminAudit.path, headers: { authorization: overseer } });
    expect(audit.json().content[0]).toMatchObject({ action: "sensor-image", subjectId: FOREIGN.id });
  });

  test.each([
    ["another account's sensor", sensor(FOREIGN.id)],
    ["another account's controller", controller(FOREIGN_VALVES.id)],
    ["a controller as a sensor", sensor(VALVES.id)],
    ["a sensor as a controller", controller(SOIL.id)],
    ["an impossible id", sensor("..%2F..%2Fetc")],
  ])("[image] %s is 404, and nothing is stored", async (_case, url) => {
    const before = await files();
    expect((await upload(url, pngOf(5, 5))).json()).toMatchObject({ status: 404, code: "not-found" });
    expect(await files()).toEqual(before);
  });

  test("[image] answers 401 without a token and 403 with the relay's", async () => {
    expect((await upload(ACCOUNT, pngOf(5, 5), "")).statusCode).toBe(401);
    const relay = `Bearer ${await farm.app.tokens.relay(SOIL.id, farm.clock.now())}`;
    expect([401, 403]).toContain((await upload(ACCOUNT, pngOf(5, 5), relay)).statusCode);
  });

  test.each([
    ["text called a PNG", formOf(Buffer.from("hello ".repeat(20)))],
    ["an SVG", formOf(Buffer.from("<svg/>".repeat(20)), "image", "a.svg", "image/svg+xml")],
    ["a bomb", formOf(pngOf(60_000, 60_000))],
    ["an empty file", formOf(Buffer.alloc(0))],
    ["another field", formOf(pngOf(5, 5), "photo")],
    [
      "a body without a file",
      {
        payload: Buffer.from('--b\r\nContent-Disposition: form-data; name="image"\r\n\r\ntext\r\n--b--\r\n'),
        headers: { "content-type": "multipart/form-data; boundary=b" },
      },
    ],
    ["JSON", { payload: Buffer.from('{"image":"x"}'), headers: { "content-type": "application/json" } }],
  ])("[image] %s is 422, and nothing is stored", async (_case, form) => {
    const before = await files();
    const answer = await send(ACCOUNT, form);
    expect(answer.json()).toMatchObject({ status: 422, code: "validation", errors: [{ field: "image" }] });
    expect(await files()).toEqual(before);
  });

  test("[image] over 5 MiB is 413, just below is accepted", async () => {
    const large = Buffer.concat([pngOf(5, 5), Buffer.alloc(5 * 1024 * 1024)]);
    expect((await upload(ACCOUNT, large)).json()).toMatchObject({ status: 413, code: "too-large" });
    expect((await upload(ACCOUNT, large.subarray(0, 5 * 1024 * 1024 - 1))).statusCode).toBe(200);
  });

  test.each([
    [
      "cut off",
      Buffer.from('--b\r\nContent-Disposition: form-data; name="image"; filename="x"\r\n\r\n\x89PNG'),
    ],
    ["of nothing", Buffer.alloc(0)],
    ["of nonsense", Buffer.from("nonsense")],
    ["of headers without end", Buffer.from(`--b\r\n${"a: b\r\n".repeat(5_000)}`)],
  ])("[image] a body %s is refused, not an error of ours", async (_case, payload) => {
    const form = { payload, headers: { "content-type": "multipart/form-data; boundary=b" } };
    const answer = await send(ACCOUNT, form);
    expect([400, 413, 422]).toContain(answer.statusCode);
    const noBoundary = { payload, headers: { "content-type": "multipart/form-data" } };
    expect([400, 406, 415, 422]).toContain((await send(ACCOUNT, noBoundary)).statusCode);
  });

  test.each(["../../etc/passwd", "..\\..\\x.png", "/etc/passwd", "a\u0000b.png", "con.png", "x.svg"])(
    "[image] the name %j chooses nothing",
    async (name) => {
      const answer = await send(ACCOUNT, formOf(pngOf(5, 5), "image", name, "text/html"));
      expect(answer.json().imagePath).toMatch(/^\/images\/[0-9a-f]{32}\.png$/);
    },
  );

  test("[image] accepts at most sixty in ten minutes", async () => {
    const answers: number[] = [];
    for (let index = 0; index < 61; index += 1) {
      answers.push((await upload(ACCOUNT, Buffer.from("x"), overseer)).statusCode);
    }
    expect(answers.filter((status) => status === 422)).toHaveLength(60);
    expect(answers.at(-1)).toBe(429);
  });
});

describe("[image] files", () => {
  test.each([
    "/images/",
    "/images/..%2Fpgdata%2FPG_VERSION",
    "/images/%2e%2e/lock.sqlite",
    `/images/${"a".repeat(32)}.png`,
    `/images/${"a".repeat(32)}.svg`,
    "/images/..%5c..%5cx",
  ])("[image] %s is 404", async (url) => {
    expect((await farm.app.inject({ url })).statusCode).toBe(404);
  });

  test("[image] removes unreferenced files; referenced or new ones stay", async () => {
    const shown = (await upload(ACCOUNT, pngOf(5, 5))).json().imagePath;
    const folder = join(farm.folder, "images");
    const orphan = `${"0".repeat(32)}.png`;
    const fresh = `${"1".repeat(32)}.png`;
    const long = new Date(farm.clock.now() - 2 * 3_600_000);
    for (const name of [orphan, fresh]) await writeFile(join(folder, name), pngOf(1, 1));
    await utimes(join(folder, orphan), long, long);
    await utimes(join(folder, shown.slice("/images/".length)), long, long);
    const now = new Date(farm.clock.now());
    await utimes(join(folder, fresh), now, now);
    await sweepImages(farm.app.database, farm.app.images, farm.clock.now());
    const left = await files();
    expect(left).toContain(fresh);
    expect(left).toContain(shown.slice("/images/".length));
    expect(left).not.toContain(orphan);
  });
});
