import type { Extension } from "@mulkko/shared/rest/capabilities";

/** A command as it is sent to the farm API. */
export interface OutgoingCommand {
  readonly commandId: string;
  readonly form: "controller" | "sensor";
  /** Id of the controller (or COT sensor); `number` is the channel's number. */
  readonly controllerId: string;
  readonly number: number;
  readonly command: string;
  readonly payload: number | string;
  /** Remaining seconds; sent only if the API has `timed-run`, or has not said yet what it has. */
  readonly maxRunSeconds?: number;
  /** For an opening: when a device begins to ignore it (CMD-4), ms UTC; sent with `maxRunSeconds`. */
  readonly expiresAt?: number;
  /** For an opening: ids of closes without an answer, which close nothing after it (CMD-17). */
  readonly replaces?: readonly string[];
  /**
   * For an opening: false once a later command has replaced it, or it is too late. Asked before it is sent again in
   * another way (WAY-1).
   */
  readonly isWanted?: () => boolean;
  /**
   * Token of the user who gave the command (CRED-2); absent: the account's own credential (closes, CRED-1).
   */
  readonly token?: string;
  readonly traceId: string;
}

/**
 * Result of a sent command. `accepted`: 2xx. `refused`: 4xx, it was not executed. `not-sent`: certainly not
 * executed, may be retried. `unknown`: may have been executed (time-out, cut connection, 5xx).
 */
export type SendResult =
  | {
      kind: "accepted";
      commandId: string | null;
      /** The API's clock minus the store's by its `Date` header, ms; absent if it is under 2 s or unknown. */
      offsetMs?: number;
    }
  /** For a farm API without codes, `code` is its message for users. */
  | { kind: "refused"; status: number; code: string; message: string }
  | { kind: "not-sent" | "unknown"; message: string };

/** The farm API as the valves use it. Never rejects; never retries by itself. */
export interface ValveUpstream {
  send(command: OutgoingCommand): Promise<SendResult>;
  /** True if the API announces the extension (`timed-run`, `idempotent-cmd`, …). */
  has(extension: Extension): boolean;
  /** True if the relay has, or can create, its own session to close the account's valves (CRED-1). */
  readonly ownSession: boolean;
  /** The API's clock minus the relay's, ms; 0 while unknown. */
  readonly offsetMs: number;
}
