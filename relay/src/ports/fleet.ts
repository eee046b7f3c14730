import type { Beats } from "@mulkko/shared/rest/fleet";
import type { DeviceStream } from "./streams.ts";

/** One administrator who looks at the fleet: keeps its owner at work, and lends a token for polling (CRED-1 c). */
export interface FleetViewer {
  readonly stream: DeviceStream;
  /** The viewer's fresh token. */
  renew(token: string): void;
  /** As of an account's viewer (POLL-1). */
  active(): void;
  release(): void;
}

/** The way to the fleet's owner, on whatever node it is. Who calls has made sure of an administrator's token. */
export interface FleetDesk {
  /** Resolves when the first state is there; rejects with an `UpstreamError` when it cannot be read. */
  view(token: string): Promise<FleetViewer>;
  /** @param ids what follows `device:` in keys of the stream */
  beats(token: string, ids: readonly string[]): Promise<Beats>;
}
