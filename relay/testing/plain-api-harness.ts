import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { App, Overrides } from "../src/app.ts";
import { type StateValue, stateOf } from "../src/store/streams.ts";
import { bootRelay } from "./boot-relay.ts";
import type { PlainFarm } from "./plain-api.ts";
import { type PlainApi, startPlainApi } from "./plain-api-server.ts";

/** The real relay on a real socket, in front of an API without extensions. */
export interface PlainApiHarness {
  readonly api: PlainApi;
  readonly origin: string;
  readonly app: App;
  /** Send a GET request to the relay with a token that the API accepts. */
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  /** View the account, as a screen does. */
  look(): Promise<{ value(key: string): StateValue | undefined; leave(): void }>;
  /** Restart the relay on the same folder, with the changed environment variables. */
  restart(change?: Readonly<Record<string, string>>): Promise<void>;
  close(): Promise<void>;
}

const TOKEN = "bare-token";

export async function startPlainApiHarness(
  farm: PlainFarm,
  environment: Readonly<Record<string, string>> = {},
  overrides: Overrides = {},
): Promise<PlainApiHarness> {
  const folder = await mkdtemp(join(tmpdir(), "mulkko-bare-"));
  const api = await startPlainApi(farm, TOKEN);
  const boot = (change: Readonly<Record<string, string>> = {}) =>
    bootRelay(api.origin, folder, { ...environment, ...change }, overrides);
  let running = await boot();
  return {
    api,
    get origin() {
      return running.origin;
    },
    get app() {
      return running.app;
    },
    get: (path, headers = {}) =>
      fetch(`${running.origin}${path}`, { headers: { authorization: `Bearer ${TOKEN}`, ...headers } }),
    async look() {
      const { owners, prover } = running.app.services;
      const proof = await prover.prove(TOKEN);
      if (!proof.ok) throw new Error(proof.failure.kind);
      const viewer = await owners.view(proof.proven, TOKEN);
      return { value: (key) => stateOf(viewer.devices)[key], leave: viewer.release };
    },
    async restart(change) {
      await running.app.server.close();
      running = await boot(change);
    },
    async close() {
      await running.app.server.close();
      await api.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
