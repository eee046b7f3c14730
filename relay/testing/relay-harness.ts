import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ErrorBody } from "@mulkko/shared/rest/errors";
import { read } from "@mulkko/testing/stack/account";
import { expect } from "vitest";
import type { App, Overrides } from "../src/app.ts";
import { bootRelay } from "./boot-relay.ts";
import {
  buildFakeAccount,
  type FakeApiAccount,
  type FakeFarmApi,
  startFakeFarmApi,
} from "./fake-farm-api.ts";

/** The real relay on a real socket, in front of a fake farm API. */
export interface RelayHarness {
  readonly api: FakeFarmApi;
  readonly account: FakeApiAccount;
  readonly origin: string;
  readonly app: App;
  /** Call the relay, by default with the account's token. */
  call(method: string, path: string, body?: unknown, token?: string): Promise<Response>;
  /** Restart the relay on the same folder. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Start the harness.
 * @param environment besides a free port, its own folder and no broker
 */
export async function startRelayHarness(
  account: FakeApiAccount = buildFakeAccount(),
  environment: Readonly<Record<string, string>> = {},
  prepare: (api: FakeFarmApi) => void = () => undefined,
  overrides: Overrides = {},
): Promise<RelayHarness> {
  const folder = await mkdtemp(join(tmpdir(), "mulkko-relay-"));
  const api = await startFakeFarmApi([account]);
  prepare(api);
  const boot = () => bootRelay(api.origin, folder, environment, overrides);
  let running = await boot().catch(async (error: unknown) => {
    await api.close();
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  return {
    api,
    account,
    get origin() {
      return running.origin;
    },
    get app() {
      return running.app;
    },
    call: (method, path, body, token = account.token) =>
      fetch(running.origin + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    async restart() {
      await running.app.server.close();
      running = await boot();
    },
    async close() {
      await running.app.server.close();
      await api.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Return the status and the code of a refusal, and the fields that it names. */
export async function refusalOf(answer: Response | Promise<Response>): Promise<string> {
  const response = await answer;
  const { status, code, errors = [] } = await read(response, ErrorBody);
  expect(response.status).toBe(status);
  return [status, code, ...errors.map(({ field }) => field)].join(" ");
}
