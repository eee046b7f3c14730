import { ClientMessage } from "@mulkko/shared/live/client-messages";
import { relayPath } from "@mulkko/shared/rest/routes";
import { parseJson } from "@mulkko/shared/schema/parse";
import { createSimulatedFleet, type SimulatedFleet } from "@mulkko/shared/testing/simulated-fleet";
import type { Page } from "playwright-core";

/** A page with a simulated `fleet` stream; everything else comes from the relay. */
export interface SimulatedFleetEndpoint {
  readonly fleet: SimulatedFleet;
  /** Send a patch of the stream to the page. */
  say(patch: Readonly<Record<string, unknown>>): void;
}

/** Values of one part of the snapshot, as a relay sends them. */
const PART_KEYS = 1_000;

/** Simulate a fleet of this many devices for the page; call before it connects. */
export async function simulateFleet(
  page: Page,
  size: { readonly devices: number; readonly accounts: number },
): Promise<SimulatedFleetEndpoint> {
  const fleet = createSimulatedFleet({ ...size, now: Date.now });
  let offset = 1;
  let send: ((text: string) => void) | null = null;
  await page.routeWebSocket(new RegExp(`${relayPath.webSocket}$`), (client) => {
    const server = client.connectToServer();
    const say = (message: unknown) => client.send(JSON.stringify(message));
    client.onMessage((text) => {
      const message = parseJson(ClientMessage, String(text));
      const asksFleet =
        message.ok &&
        (message.value.t === "subscribe" || message.value.t === "unsubscribe") &&
        message.value.stream === "fleet";
      if (!asksFleet) {
        server.send(text);
        return;
      }
      if (message.value.t === "unsubscribe") return;
      const all = [...fleet.state];
      const of = Math.max(1, Math.ceil(all.length / PART_KEYS));
      for (let part = 1; part <= of; part += 1) {
        const state = Object.fromEntries(all.slice((part - 1) * PART_KEYS, part * PART_KEYS));
        say({ t: "snapshot", stream: "fleet", epoch: "simulated", offset, part, of, state });
      }
      send = (said) => client.send(said);
    });
  });
  await page.route(`**${relayPath.fleetBeats}?*`, (route) => {
    const ids = new URL(route.request().url()).searchParams.get("ids") ?? "";
    return route.fulfill({ json: fleet.beats(ids.split(",")) });
  });
  return {
    fleet,
    say(patch) {
      const from = offset;
      offset += 1;
      send?.(JSON.stringify({ t: "change", stream: "fleet", from, offset, patch }));
    },
  };
}
