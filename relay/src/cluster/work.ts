import { parse } from "@mulkko/shared/schema/parse";
import type { LocalFleet } from "../fleet/local-fleet.ts";
import type { Log } from "../runtime/log.ts";
import { notPersisted, StaleOwnerError, StoreUnavailableError } from "../store/errors.ts";
import type { Inbox, NodeMessages } from "../store/store.ts";
import { NoAccessError, UpstreamError } from "../upstream/errors.ts";
import { openSession } from "../upstream/stored-session.ts";
import type { TokenCipher } from "../upstream/token-cipher.ts";
import type { LocalOwners } from "./local-owners.ts";
import { type Answer, type Call, type Failure, Work } from "./messages.ts";

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

/** Handle the work that other nodes send to the owners here (NODE-5). Return a function to stop. */
export function handleWork({ local, fleet, inbox, node, cipher, log }: WorkDeps): () => void {
  const opened = (encrypted: string): string => {
    const token = cipher.open(encrypted);
    if (token === null) throw new Error("another node encrypts with another RELAY_SECRET");
    return token;
  };
  const done = async (accountId: string, call: Call): Promise<unknown> => {
    switch (call.do) {
      case "load":
        await local.loaded(accountId, call.token === undefined ? undefined : opened(call.token));
        return true;
      case "command":
      case "withdraw": {
        const { do: wanted, token, maxRunSeconds, ...request } = call;
        const { service } = await local.loaded(accountId);
        const pressed = { ...request, token: opened(token), maxRunSeconds };
        return wanted === "command" ? service.command(pressed) : service.withdraw(pressed);
      }
      case "close-all": {
        const { do: _, token, ...request } = call;
        const { service } = await local.loaded(accountId);
        return service.closeAll({ ...request, token: opened(token) });
      }
      case "commands": {
        const { do: _, to = Number.POSITIVE_INFINITY, ...query } = call;
        const { service } = await local.loaded(accountId);
        return service.commands({ ...query, to });
      }
      case "waterings": {
        const known = await (await local.loaded(accountId)).service.waterings(call.since);
        return call.watchedSince ? known : known.waterings;
      }
      case "alarms": {
        const { alarms } = await local.loaded(accountId);
        return call.which === "present" ? alarms.present() : alarms.past();
      }
      case "acknowledge":
        return (await local.loaded(accountId)).alarms.acknowledge(call.id, call.by, call.comment);
      case "snooze":
        return (await local.loaded(accountId)).alarms.snooze(call.id, call.by, call.until, call.reason);
      case "unsnooze":
        return (await local.loaded(accountId)).alarms.unsnooze(call.id, call.by);
      case "close-in":
        return (await local.loaded(accountId)).alarms.closeIn(call.id, call.by, call.minutes);
      case "read-settings":
        return (await local.loaded(accountId)).settings.get();
      case "change-settings":
        return (await local.loaded(accountId)).settings.change(call.change);
      case "signed-in": {
        const session = openSession(cipher, call.session);
        if (session.kind !== "pair") throw new Error("another node encrypts with another RELAY_SECRET");
        await local.signedIn(accountId, session);
        return true;
      }
      case "watch":
        return local.watch(accountId, call.wish);
      case "own-token":
        return cipher.encrypt(await local.ownToken(accountId));
      case "fleet-load":
        await fleet.loaded(opened(call.token));
        return true;
      case "fleet-tell":
        return fleet.handleBatch(call.batch);
      case "fleet-beats":
        return fleet.beats(opened(call.token), call.ids);
    }
  };
  const answer = async (accountId: string, work: Extract<Work, { kind: "call" }>): Promise<void> => {
    const { id } = work;
    let said: Answer;
    try {
      said = { kind: "answer", id, value: await done(accountId, work.call) };
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
    if (!work.ok) {
      log.warn({ event: "node-work-unreadable", at: work.path }, "cannot read work from another node");
      return;
    }
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
