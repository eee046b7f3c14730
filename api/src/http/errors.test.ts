import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { DatabaseError } from "../database/database.ts";
import { errorsPlugin } from "./errors.ts";

test("[storage] an unavailable database answers 503 to every call, and is logged once a minute", async () => {
  const clock = createFakeClock();
  const lines: string[] = [];
  const app = Fastify({
    logger: { level: "warn", stream: { write: (line) => void lines.push(JSON.parse(line).msg) } },
  });
  await app.register(errorsPlugin, { clock });
  app.get("/", async () => {
    throw new DatabaseError("connection refused", "ECONNREFUSED");
  });
  for (let call = 0; call < 20; call += 1) {
    const answer = await app.inject("/");
    expect([answer.statusCode, answer.headers["retry-after"]]).toEqual([503, "5"]);
  }
  expect(lines).toEqual(["database unavailable"]);
  clock.advance(60_000);
  await app.inject("/");
  expect(lines).toHaveLength(2);
  await app.close();
});
