import { ErrorBody } from "@mulkko/shared/rest/errors";
import { read } from "@mulkko/testing/stack/account";
import fastify from "fastify";
import { expect, test } from "vitest";
import { StoreUnavailableError } from "../store/errors.ts";
import { errorsPlugin } from "./errors.ts";

test("[NODE-3] a call that the store fails is answered 503, whatever route forgets it, and says nothing of the store", async () => {
  const server = fastify();
  await server.register(errorsPlugin);
  server.get("/", async () => {
    throw new StoreUnavailableError("SQLITE_FULL /var/lib/mulkko/relay.sqlite");
  });
  const { statusCode, body } = await server.inject("/");
  expect([statusCode, (await read(new Response(body), ErrorBody)).code]).toEqual([503, "store-down"]);
  expect(body).not.toContain("sqlite");
});
