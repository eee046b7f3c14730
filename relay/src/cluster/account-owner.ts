import type { ChangedKind } from "@mulkko/shared/rest/operations/operation";
import { tokenEnd } from "../access/token-end.ts";
import type { ReceivedMessage } from "../account/mqtt.ts";
import type { Interest } from "../account/viewers.ts";
import type { AlarmService } from "../alarms/alarm-calls.ts";
import { FirstRead } from "../runtime/first-read.ts";
import type { SettingsService } from "../settings/settings-calls.ts";
import type { ValveService } from "../valves/valves.ts";
import {
  type AccountOwnerDeps,
  type AccountOwnerEvents,
  type AccountParts,
  createAccountParts,
} from "./account-parts.ts";

/** ms over which failed polls are spread once the API answers. */
const RETRY_SPREAD_MS = 3_000;

/**
 * The owner of an account: it polls, receives messages, times the devices, controls the valves and writes the
 * streams. One node has it at a time (NODE-5).
 *
 * ```
 *   claimed ──load──▶ reading ──lists read──▶ read ──close──▶ closed
 *    │   ▲               │                     ▲
 *    │   └────failed─────┘                     │
 *    └────────stored state of this epoch───────┘
 * ```
 *
 * | it | while |
 * |---|---|
 * | receives messages, and is an active account | read |
 * | may be released (`idle`) | without a viewer, and no valve is open or in motion |
 * | polls, and closes valves whose run is over | not closed |
 */
export class AccountOwner {
  readonly accountId: string;
  readonly #deps: AccountOwnerDeps;
  readonly #parts: AccountParts;
  readonly #firstRead: FirstRead;
  /** True if the API's MQTT output was received when that was last asked. */
  #wasReceived: boolean;
  #newestToken: string | undefined;

  private constructor(
    accountId: string,
    deps: AccountOwnerDeps,
    parts: AccountParts,
    before: { readonly firstRead: FirstRead; readonly wasReceived: boolean },
  ) {
    this.accountId = accountId;
    this.#deps = deps;
    this.#parts = parts;
    this.#firstRead = before.firstRead;
    this.#wasReceived = before.wasReceived;
  }

  /** Claim an account for this node, and restore what is stored of it. */
  static async claim(
    accountId: string,
    deps: AccountOwnerDeps,
    events: AccountOwnerEvents,
  ): Promise<AccountOwner> {
    const firstRead = new FirstRead();
    const { reception } = deps.upstream;
    const wasReceived = reception.mqtt;
    const parts = await createAccountParts(accountId, deps, events, firstRead);
    if (parts.stored !== null) {
      parts.deviceIndex.resume(parts.stored);
      parts.lists.resume();
      firstRead.resumed();
    }
    const owner = new AccountOwner(accountId, deps, parts, { firstRead, wasReceived });
    if (reception.mqtt !== wasReceived) owner.receptionChanged();
    return owner;
  }

  get service(): ValveService {
    return this.#parts.valves;
  }

  get alarms(): AlarmService {
    return this.#parts.alarms;
  }

  get settings(): SettingsService {
    return this.#parts.settings;
  }

  /** Make a viewer's token available for polling until it expires. */
  lend(token: string): void {
    const { credentials, role, units, valves } = this.#parts;
    const lacked = !credentials.any;
    credentials.lend(token, tokenEnd(token, this.#deps.runtime.clock, this.#deps.upstream.clock));
    if (this.#newestToken !== token) valves.credentialLent();
    this.#newestToken = token;
    role.lent(token);
    if (lacked) units.retryFailed(0);
  }

  /**
   * Resolves when the account's first state is present; rejects with an `UpstreamError` if it cannot be
   * read.
   */
  load(): Promise<void> {
    const { lists, memory, report, span, state, writer } = this.#parts;
    return this.#firstRead.read(
      async () => {
        await lists.load();
        state.emit("listsRead");
        await writer.flushNow();
      },
      () => {
        report.read();
        memory.markWatched();
        span.look();
        void span.keep();
      },
    );
  }

  /** True once the account has been read. */
  get loaded(): boolean {
    return this.#firstRead.isDone;
  }

  /** Set the interest of a node's viewers; that of other nodes counts until `forMs` without a renewal. */
  interest(node: string, interest: Interest | null, forMs?: number): void {
    this.#parts.viewers.set(node, interest, forMs);
  }

  receive(message: ReceivedMessage): void {
    this.#parts.receive(message);
  }

  written(kinds: readonly ChangedKind[]): void {
    this.#parts.state.emit("written", kinds);
  }

  /** The reception has changed; after a break of the API's MQTT output all units become due once. */
  receptionChanged(): void {
    const { mqtt } = this.#deps.upstream.reception;
    if (mqtt && !this.#wasReceived) this.#parts.state.emit("messagesMissed");
    this.#wasReceived = mqtt;
    this.paceChanged();
  }

  /** The API answers again: failed units become due. */
  reachable(): void {
    this.#parts.units.retryFailed(RETRY_SPREAD_MS);
  }

  /** The stretch factor, or the trust in the API's clock, has changed. */
  paceChanged(): void {
    this.#parts.state.emit("paceChanged");
  }

  demand(): { stretchable: number; fixed: number } {
    return this.#parts.units.demand();
  }

  get viewers(): number {
    return this.#parts.viewers.count;
  }

  /**
   * False while a viewer is present, or a valve is open or in motion: the owner must not be released then.
   */
  get idle(): boolean {
    return this.viewers === 0 && !(this.#parts.valves.busy ?? false) && !this.#isOpen();
  }

  #isOpen(): boolean {
    const { state } = this.#parts;
    for (const key of state.keys()) {
      if (key.startsWith("channel:") && state.get(key)?.onoff === 1) return true;
    }
    return false;
  }

  async close(): Promise<void> {
    const { account, alarms, documents, memory, span, streams, writer } = this.#parts;
    this.#parts.role.close();
    span.look();
    memory.close();
    span.close();
    this.#parts.report.close();
    this.#parts.units.close();
    this.#parts.giveUp.abort();
    this.#parts.relayCloses.close();
    this.#parts.valves.close();
    await alarms.close();
    await writer.flushNow();
    writer.close();
    // Refresh tokens rotate: the next owner must find the valid ones.
    await this.#deps.upstream.sessions.settled(this.accountId);
    await memory.save();
    await span.keep();
    documents.close();
    this.#parts.watch.close();
    this.#parts.viewers.close();
    streams.detach();
    await this.#deps.store.release(this.accountId, account.fence);
  }
}
