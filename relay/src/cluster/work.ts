import { parse } from "@mulkko/shared/schema/parse";
import type { TokenCipher } from "../access/vault.ts";
import { openSession } from "../access/vault.ts";
import { ALARM_CALLS } from "../alarms/alarm-calls.ts";
import type { LocalFleet } from "../fleet/local-fleet.ts";
import type { Log } from "../runtime/log.ts";
import { actsOf, type MethodsOf, type OwnerCall, type OwnerCalls } from "../runtime/owner-call.ts";
import { SETTINGS_CALLS } from "../settings/settings-calls.ts";
import { notPersisted, StaleOwnerError, StoreUnavailableError } from "../store/errors.ts";
import type { Inbox, NodeMessages } from "../store/store.ts";
import { NoAccessError, UpstreamError } from "../upstream/errors.ts";
import { VALVE_CALLS } from "../valves/commands.ts";
import { readRequest, sentReply } from "./call-wire.ts";
import type { LocalOwners } from "./local-owners.ts";
import { ACCOUNT_CALLS, type Answer, type Failure, FLEET_CALLS, Work } from "./messages.ts";

/** ms for which another node's interest counts; it is repeated much more often. */
export const INTEREST_MS = 20_000;

export interface WorkDeps {
  readonly local: Pick<LocalOwners, "loaded" | "interest" | "changed" | "signedIn" | "watch" | "ownToken">;
  readonly fleet: Pick<LocalFleet, "loaded" | "handleBatch" | "beats" | "interest" | "noteWrite">;
  readonly inbox: Inbox;
  readonly node: NodeMessages;
  readonly cipher: TokenCipher;
  readonly log: Log;
}

/** A call and the act of an owner that answers it. */
interface Served {
  readonly call: OwnerCall;
  readonly act: (accountId: string, request: Readonly<Record<string, unknown>>) => Promise<unknown>;
}

/** Serve each call of a table by the method of its name. */
const served = <Calls extends OwnerCalls>(
  calls: Calls,
  serviceOf: (accountId: string) => Promise<MethodsOf<Calls>>,
): Served[] =>
  Object.entries(calls).map(([name, call]) => ({
    call,
    act: async (accountId, request) => actsOf(await serviceOf(accountId))[name]?.(request),
  }));

/** Handle the work that other nodes send to the owners here (NODE-5). Return a function to stop. */
export function handleWork({ local, fleet, inbox, node, cipher, log }: WorkDeps): () => void {
  const byName = new Map(
    [
      ...served(VALVE_CALLS, async (accountId) => (await local.loaded(accountId)).service),
      ...served(ALARM_CALLS, async (accountId) => (await local.loaded(accountId)).alarms),
      ...served(SETTINGS_CALLS, async (accountId) => (await local.loaded(accountId)).settings),
      ...served(ACCOUNT_CALLS, async (accountId) => ({
        load: async ({ token }) => local.loaded(accountId, token).then(() => true),
        async signedIn({ session }) {
          const opened = openSession(cipher, session);
          if (opened.kind !== "pair") throw new Error("another node encrypts with another RELAY_SECRET");
          await local.signedIn(accountId, opened);
          return true;
        },
        watch: ({ wish }) => local.watch(accountId, wish),
        ownToken: () => local.ownToken(accountId),
      })),
      ...served(FLEET_CALLS, async () => ({
        load: ({ token }) => fleet.loaded(token).then(() => true),
        handleBatch: async ({ batch }) => fleet.handleBatch(batch),
        beats: ({ token, ids }) => fleet.beats(token, ids),
      })),
    ].map((each) => [each.call.wire, each]),
  );
  const unreadable = (at: string): void =>
    log.warn({ event: "node-work-unreadable", at }, "cannot read work from another node");
  const answer = async (accountId: string, work: Extract<Work, { kind: "call" }>): Promise<void> => {
    const { id } = work;
    const known = byName.get(work.call.do);
    // Of a later version, perhaps: its node repeats the call, and an owner that knows it may have taken over by then.
    if (!known) return unreadable(`/call/do ${work.call.do}`);
    const { call, act } = known;
    let said: Answer;
    try {
      const request = readRequest(call, work.call, cipher);
      if (!request.ok) return unreadable(`/call${request.path}`);
      const reply = await act(accountId, request.value);
      said = { kind: "answer", id, value: sentReply(call, request.value, reply, cipher) };
    } catch (error) {
      // The shard has moved: the caller repeats its message to the new owner.
      if (error instanceof StaleOwnerError) return;
      if (!(error instanceof UpstreamError)) {
        notPersisted(log, "error", { event: "node-call-failed" }, "call from another node failed")(error);
      }
      said = { kind: "answer", id, failure: failureOf(error) };
    }
    await node.send(work.node, said);
  };

  return inbox.onMessage((accountId, message) => {
    const work = parse(Work, message);
    if (!work.ok) return unreadable(work.path);
    switch (work.value.kind) {
      case "touched":
        local.changed(accountId, work.value.path);
        break;
      case "interest": {
        const { node: from, count, active = true, keys, tokens } = work.value;
        const interest =
          count === 0 ? null : { count, active, keys: keys === null ? undefined : new Set(keys) };
        local.interest(accountId, {
          node: from,
          interest,
          tokens: tokens.flatMap((encrypted) => cipher.open(encrypted) ?? []),
          forMs: INTEREST_MS,
        });
        break;
      }
      case "fleet-touched":
        fleet.noteWrite();
        break;
      case "fleet-interest": {
        const { node: from, count, active = true, tokens } = work.value;
        fleet.interest({
          node: from,
          interest: count === 0 ? null : { count, active, keys: undefined },
          tokens: tokens.flatMap((encrypted) => cipher.open(encrypted) ?? []),
          forMs: INTEREST_MS,
        });
        break;
      }
      case "call":
        answer(accountId, work.value).catch((error: unknown) =>
          log.warn({ event: "node-answer-not-sent", err: error }, "cannot answer another node"),
        );
        break;
    }
  });
}

function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof NoAccessError) return { kind: "no-access", message };
  if (error instanceof StoreUnavailableError) return { kind: "store-down", message };
  return { kind: error instanceof UpstreamError ? "upstream-down" : "failed", message };
}
