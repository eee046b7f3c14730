import type { Extension } from "@mulkko/shared/rest/capabilities";
import { RelayConfig } from "@mulkko/shared/rest/relay-config";
import { relayPath } from "@mulkko/shared/rest/routes";
import { useEffect } from "react";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import type { RestClient } from "./client.ts";
import { useClient } from "./hooks.ts";

/** Delay before asking an unreachable relay again, ms. */
const ASK_AGAIN_MS = 10_000;

function createServedApi(client: RestClient) {
  const store = createStore<RelayConfig | null>(() => null);
  let asking = false;
  /** Ask once, and again while there is no answer. */
  const ask = () => {
    if (asking || store.getState() !== null) return;
    asking = true;
    client
      .call({ method: "GET", path: relayPath.config, answer: RelayConfig })
      .then((config) => store.setState(config, true))
      .catch(() => {
        // Unknown extensions are not offered; a returning relay reports them.
        setTimeout(ask, ASK_AGAIN_MS);
      })
      .finally(() => {
        asking = false;
      });
  };
  return { store, ask };
}

/** One answer for all parts of a page; it lives as long as its client. */
const served = new WeakMap<RestClient, ReturnType<typeof createServedApi>>();

function servedBy(client: RestClient) {
  const known = served.get(client) ?? createServedApi(client);
  served.set(client, known);
  return known;
}

function useRelayConfig<T>(select: (config: RelayConfig | null) => T): T {
  const api = servedBy(useClient());
  useEffect(() => api.ask(), [api]);
  return useStore(api.store, select);
}

/** Return true if the farm API offers an extension of the plain contract; false until that is known. */
export function useExtension(name: Extension): boolean {
  return useRelayConfig((config) => config?.extensions.includes(name) ?? false);
}

/** Return the same, but null until it is known: for elements that reserve space meanwhile. */
export function useExtensionAnswer(name: Extension): boolean | null {
  return useRelayConfig((config) => (config === null ? null : config.extensions.includes(name)));
}

/** Return the zone of the farm API's own times; null until it is known. */
export function useApiZone(): string | null {
  return useRelayConfig((config) => config?.apiTimezone ?? null);
}

/** Return the style of the installation's own map; null is the embedded one, undefined not known yet. */
export function useMapStyleUrl(): string | null | undefined {
  return useRelayConfig((config) => (config === null ? undefined : (config.mapStyleUrl ?? null)));
}
