import { parse } from "@mulkko/shared/schema/parse";
import type { LocalFleet } from "../fleet/local-fleet.ts";
import type { LocalOwners } from "../owner/local-owners.ts";
import type { Log } from "../ports/log.ts";
import { StaleOwnerError, StoreUnavailableError } from "../store/errors.ts";
import { logUnkept } from "../store/log-unkept.ts";
import type { Inbox, NodeMessages } from "../store/store.ts";
import { NoAccessError, UpstreamError } from "../upstream/errors.ts";
import { openSession } from "../upstream/kept-session.ts";
import { type Answer, type Call, type Failure, Work } from "./messages.ts";
import type { Seal } from "./seal.ts";

/** ms that another node's interest counts; it is said again every much more often. */
export const INTEREST_MS = 20_000;

export interface WorkParts {
  readonly local: Pick<LocalOwners, "loaded" | "interest" | "touched" | "signedIn" | "watch" | "ownToken">;
  readonly fleet: Pick<LocalFleet, "loaded" | "take" | "beats" | "interest" | "touched">;
  readonly inbox: Inbox;
  readonly node: NodeMessages;
  readonly seal: Seal;
  readonly log: Log;
}

/** Does what other nodes hand to the owners here (NODE-5). Returns how to stop. */
export function takeWork({ local, fleet, inbox, node, seal, log }: WorkParts): () => void {
  const opened = (sealed: string): string => {
    const token = seal.open(sealed);
    if (token === null) throw new Error("another node seals with another RELAY_SECRET");
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
        const { desk } = await local.loaded(accountId);
        const pressed = { ...request, token: opened(token), maxRunSeconds };
        return wanted === "command" ? desk.command(pressed) : desk.withdraw(pressed);
      }
      case "close-all": {
        const { do: _, token, ...request } = call;
        const { desk } = await local.loaded(accountId);
        return desk.closeAll({ ...request, token: opened(token) });
      }
      case "commands": {
        const { do: _, to = Number.POSITIVE_INFINITY, ...query } = call;
        const { desk } = await local.loaded(accountId);
        return desk.commands({ ...query, to });
      }
      case "waterings":
        return (await local.loaded(accountId)).desk.waterings(call.since);
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
        const session = openSession(seal, call.session);
        if (session.kind !== "pair") throw new Error("another node seals with another RELAY_SECRET");
        await local.signedIn(accountId, session);
        return true;
      }
      case "watch":
        return local.watch(accountId, call.wish);
      case "own-token":
        return seal.seal(await local.ownToken(accountId));
      case "fleet-load":
        await fleet.loaded(opened(call.token));
        return true;
      case "fleet-tell":
        return fleet.take(call.batch);
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
      // The shard has gone on: who waits says it again, to the new owner.
      if (error instanceof StaleOwnerError) return;
      if (!(error instanceof UpstreamError)) {
        logUnkept(log, "error", { err: error }, "another node's call failed");
      }
      said = { kind: "answer", id, failure: failureOf(error) };
    }
    await node.tell(work.node, said);
  };

  return inbox.onMessage((accountId, message) => {
    const work = parse(Work, message);
    if (!work.ok) {
      log.warn({ at: work.path }, "what another node sends cannot be read");
      return;
    }
    switch (work.value.kind) {
      case "touched":
        local.touched(accountId, work.value.path);
        break;
      case "interest": {
        const { node: from, count, active = true, keys, tokens } = work.value;
        const interest =
          count === 0 ? null : { count, active, keys: keys === null ? undefined : new Set(keys) };
        local.interest(accountId, {
          node: from,
          interest,
          tokens: tokens.flatMap((sealed) => seal.open(sealed) ?? []),
          forMs: INTEREST_MS,
        });
        break;
      }
      case "fleet-touched":
        fleet.touched();
        break;
      case "fleet-interest": {
        const { node: from, count, active = true, tokens } = work.value;
        fleet.interest({
          node: from,
          interest: count === 0 ? null : { count, active, keys: undefined },
          tokens: tokens.flatMap((sealed) => seal.open(sealed) ?? []),
          forMs: INTEREST_MS,
        });
        break;
      }
      case "call":
        answer(accountId, work.value).catch((error: unknown) =>
          log.warn({ err: error }, "another node could not be answered"),
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
