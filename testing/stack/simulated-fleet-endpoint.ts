import { ClientMessage } from "@mulkko/shared/live/client-messages";
import { relayPath } from "@mulkko/shared/rest/routes";
import { parse } from "@mulkko/shared/schema/parse";
import { createSimulatedFleet, type SimulatedFleet } from "@mulkko/shared/testing/simulated-fleet";
import type { Page } from "playwright-core";
import { frameOf, LIVE_SOCKET, messageIn } from "./live-frames.ts";

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
  size: { readonly devices: number; readonly accounts: number; readonly urgent?: number },
): Promise<SimulatedFleetEndpoint> {
  const fleet = createSimulatedFleet({ ...size, now: Date.now });
  let offset = 1;
  let send: ((frame: string) => void) | null = null;
  await page.routeWebSocket(LIVE_SOCKET, (client) => {
    const server = client.connectToServer();
    client.onMessage((frame) => {
      const message = parse(ClientMessage, messageIn(frame));
      const asksFleet =
        message.ok &&
        (message.value.t === "subscribe" || message.value.t === "unsubscribe") &&
        message.value.stream === "fleet";
      if (!asksFleet) {
        server.send(frame);
        return;
      }
      if (message.value.t !== "subscribe") return;
      const { track } = message.value;
      const all = [...fleet.state].filter(([key]) => track === undefined || track.includes(key));
      const of = Math.max(1, Math.ceil(all.length / PART_KEYS));
      for (let part = 1; part <= of; part += 1) {
        const state = Object.fromEntries(all.slice((part - 1) * PART_KEYS, part * PART_KEYS));
        const snapshot = { t: "snapshot", stream: "fleet", epoch: "simulated", offset, part, of, state };
        client.send(frameOf(snapshot));
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
      const change = { t: "change", stream: "fleet", from, offset, patch };
      send?.(frameOf(change));
    },
  };
}
