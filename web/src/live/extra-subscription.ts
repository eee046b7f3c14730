import type { StreamName } from "@mulkko/shared/live/client-messages";
import type { ErrorMessage } from "@mulkko/shared/live/server-messages";
import type { Static } from "typebox";
import type { OwnStream } from "./ingest.ts";
import type { StateStream } from "./state-stream.ts";

/** Delay before an unavailable stream is requested again, ms. */
export const ASK_AGAIN_MS = 10_000;

/** Why the relay refuses a stream. */
export type StreamRefusal = Pick<Static<typeof ErrorMessage>, "code" | "temporary">;

/** A stream that a page needs for a while beside the account's own, on the same connection. */
export interface ExtraSubscription extends StateStream {
  readonly name: Exclude<StreamName, OwnStream>;
  /** Handle a refusal; a temporary one is retried automatically. */
  refused(refusal: StreamRefusal): void;
}
