import type { FleetAccountValue, FleetDeviceValue } from "@mulkko/shared/live/fleet";
import { act } from "@testing-library/react";
import type { ReactNode } from "react";
import { SETTLE_MS } from "../domain/fleet/fleet-store.ts";
import { RECONNECT_GRACE_MS } from "../live/link.ts";
import { devicesSnapshot, eventsSnapshot, type FakeSocket } from "../live/testing/fake-relay.ts";
import { fleetOfDevices } from "./build-fleet-device.ts";
import { createPageBench, type PageBench } from "./page-bench.tsx";

/** A page of the fleet, with the relay's messages controlled by the test. */
export interface FleetBench extends Omit<PageBench, "show"> {
  /** Render a page and connect it; the fleet is still unknown. */
  open(page: ReactNode, address: string): Promise<void>;
  /** Send a fleet of these devices, named after their keys, and these accounts. */
  say(
    devices: Readonly<Record<string, Partial<FleetDeviceValue>>>,
    ...accounts: readonly FleetAccountValue[]
  ): Promise<void>;
  /** Send one part of a snapshot of several: whole values by their keys. */
  sayPart(state: Readonly<Record<string, Record<string, unknown>>>, part: number, of: number): Promise<void>;
  /** Send changed values and deleted keys. */
  change(patch: Record<string, Record<string, unknown>>, ...gone: readonly string[]): Promise<void>;
  /** Interrupt the connection for longer than a page tolerates. */
  lose(): Promise<void>;
  /** Refuse the fleet to this account. */
  refuse(): Promise<void>;
}

/**
 * Create the bench with the translations of the fleet's pages, and a farm API that stores actions and
 * messages.
 */
export async function createFleetBench(): Promise<FleetBench> {
  const bench = await createPageBench();
  const { live } = bench;
  let socket: FakeSocket;
  /** Offset of the fleet stream. */
  let offset = 1;
  bench.answer = (call) => {
    if (call === "GET /relay/config") return { apiTimezone: "Asia/Seoul", extensions: ["audit"], build: "x" };
    return call.startsWith("GET /api/v1/admin/contacts") ? { content: [], totalElements: 0 } : undefined;
  };
  /** Render received data, and let sums and lists settle. */
  const settled = () =>
    act(async () => {
      live.paint();
      await live.timers.pass(SETTLE_MS);
    });
  const sayPart = async (
    state: Readonly<Record<string, Record<string, unknown>>>,
    part: number,
    of: number,
  ) => {
    await act(async () =>
      socket.say({ t: "snapshot", stream: "fleet", epoch: "f1", offset, part, of, state: { ...state } }),
    );
    await settled();
  };
  return Object.assign(bench, {
    async open(page: ReactNode, address: string) {
      bench.show(page, address);
      await act(async () => {
        socket = await live.welcome();
        socket.say(devicesSnapshot("e1", 1, {}));
        socket.say(eventsSnapshot("v1", 1));
      });
    },
    async say(
      devices: Readonly<Record<string, Partial<FleetDeviceValue>>>,
      ...accounts: readonly FleetAccountValue[]
    ) {
      const state = Object.fromEntries([
        ...fleetOfDevices(devices),
        ...accounts.map((value) => [`account:${value.id}`, value] as const),
      ]);
      await sayPart(state, 1, 1);
    },
    sayPart,
    async change(patch: Record<string, Record<string, unknown>>, ...gone: readonly string[]) {
      const from = offset;
      offset += 1;
      await act(async () =>
        socket.say({ t: "change", stream: "fleet", from, offset, patch, del: [...gone] }),
      );
      await settled();
    },
    lose: () =>
      act(async () => {
        socket.cut();
        await live.timers.pass(RECONNECT_GRACE_MS);
        live.client.connection.update();
      }),
    refuse: () =>
      act(async () => {
        socket.say({ t: "error", code: "forbidden", message: "no", temporary: false, ref: "subscribe" });
        await live.timers.pass(2 * SETTLE_MS);
      }),
  });
}
