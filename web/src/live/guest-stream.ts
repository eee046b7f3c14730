import type { StreamName } from "@mulkko/shared/live/client-messages";
import type { ErrorMessage } from "@mulkko/shared/live/server-messages";
import type { Static } from "typebox";
import type { OwnStream } from "./ingest.ts";
import type { StateStream } from "./state-stream.ts";

/** ms until a stream that cannot be had just now is asked for again. */
export const ASK_AGAIN_MS = 10_000;

/** Why the relay does not give a stream. */
export type StreamRefusal = Pick<Static<typeof ErrorMessage>, "code" | "temporary">;

/** A stream that a page needs for a while, beside the account's own; it comes and goes over the same connection. */
export interface GuestStream extends StateStream {
  readonly name: Exclude<StreamName, OwnStream>;
  /** Not given; what is temporary is asked for again by itself. */
  refused(refusal: StreamRefusal): void;
}
