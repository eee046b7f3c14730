import type { ActivityHistory } from "@mulkko/shared/rest/fleet";
import type { DeviceStream } from "../store/streams.ts";

/**
 * One administrator who views the fleet: keeps its owner active, and lends a token for polling (CRED-1 c).
 */
export interface FleetViewer {
  readonly stream: DeviceStream;
  /** Replace the viewer's token by a fresh one. */
  renew(token: string): void;
  /** Mark the viewer as active, as for an account's viewer (POLL-1). */
  active(): void;
  release(): void;
}

/** Access to the fleet's owner on any node. The caller has verified an administrator's token. */
export interface FleetService {
  /** Resolves when the first state is present; rejects with an `UpstreamError` when it cannot be read. */
  view(token: string): Promise<FleetViewer>;
  /** Return the activity history of devices. @param ids the part after `device:` in keys of the stream */
  beats(token: string, ids: readonly string[]): Promise<ActivityHistory>;
}
