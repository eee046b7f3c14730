import type { Clock } from "@mulkko/shared/rules/clock";
import type { ReceivedMessage } from "../account/mqtt.ts";

/** Oldest and most messages that wait for an activation, and how many remain of a full buffer. */
const MAX_AGE_MS = 15_000;
const CAPACITY = 20_000;
const AFTER_DROP = 18_000;

/** The last messages of accounts that are not active here: they wait for the activation (MQTT-1). */
export class RecentMessages {
  readonly #clock: Pick<Clock, "monotonic">;
  #messages: { readonly message: ReceivedMessage; readonly at: number }[] = [];

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
  }

  add(message: ReceivedMessage): void {
    this.#messages.push({ message, at: this.#clock.monotonic() });
    // In batches, so that a full buffer is not moved for each message.
    if (this.#messages.length <= CAPACITY) return;
    this.#drop();
    this.#messages = this.#messages.slice(-AFTER_DROP);
  }

  /** Return the messages of an account, oldest first, and remove them. */
  drain(accountId: string): ReceivedMessage[] {
    this.#drop();
    const own = this.#messages.filter((one) => one.message.topic.userId === accountId);
    if (own.length > 0)
      this.#messages = this.#messages.filter((one) => one.message.topic.userId !== accountId);
    return own.map((one) => one.message);
  }

  #drop(): void {
    const oldest = this.#clock.monotonic() - MAX_AGE_MS;
    const first = this.#messages.findIndex((one) => one.at >= oldest);
    if (first !== 0) this.#messages = first === -1 ? [] : this.#messages.slice(first);
  }
}
