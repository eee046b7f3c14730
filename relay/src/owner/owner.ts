/** The one that decides, times and writes for an account (NODE-5). */
import type { OutTopic } from "@mulkko/shared/mqtt/topics";
import type { Touched } from "../core/touched.ts";
import type { AlarmDesk } from "../ports/alarms.ts";
import type { SettingsDesk } from "../ports/settings.ts";
import type { ValveDesk } from "../ports/valves.ts";
import type { Interest } from "./viewers.ts";

/** A message of the API's broker for one account. */
export interface HeardMessage {
  readonly topic: OutTopic;
  readonly payload: Uint8Array;
  /** ms UTC */
  readonly arrivedAt: number;
}

export interface AccountOwner {
  readonly accountId: string;
  readonly desk: ValveDesk;
  readonly alarms: AlarmDesk;
  readonly settings: SettingsDesk;
  /** A viewer's token may be used for polling until it expires. */
  lend(token: string): void;
  /** What the viewers of a node look at; for other nodes' only so long as they say it again. */
  interest(node: string, interest: Interest | null, forMs?: number): void;
  /** Resolves when the account's first state is there; rejects with an `UpstreamError` if it cannot be read. */
  load(): Promise<void>;
  /** True once it has been read. */
  readonly loaded: boolean;
  hear(message: HeardMessage): void;
  touched(kinds: readonly Touched[]): void;
  /** The API's MQTT output began or ceased to be heard; after a break everything comes due once. */
  heardChanged(): void;
  /** The API answers again: what failed comes due. */
  reachable(): void;
  /** Intervals are stretched otherwise, or the API's clock is believed again or no more. */
  paceChanged(): void;
  demand(): { stretchable: number; fixed: number };
  readonly viewers: number;
  /** False while a viewer is there, or a valve is open or being moved: then it may not be released. */
  readonly idle: boolean;
  close(): Promise<void>;
}
