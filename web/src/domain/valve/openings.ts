import { systemTimers, type Timers } from "@mulkko/shared/rules/clock";
import { Id } from "@mulkko/shared/schema/id";
import { Nullable } from "@mulkko/shared/schema/nullable";
import { parseJson } from "@mulkko/shared/schema/parse";
import { useEffect } from "react";
import { type Static, Type } from "typebox";
import type { RestClient } from "../../api/client.ts";
import { sendValveCommand, type ValveCommand, withdrawOpening } from "../../api/commands.ts";
import { ApiError, errorReason } from "../../api/errors.ts";
import { useAccount, useRest } from "../../api/hooks.ts";
import { useEvents, useIsLive, useServerNow } from "../../live/hooks.ts";

/** Opening without an answer, stored in the browser across reloads. */
const Opening = Type.Object({
  accountId: Type.String(),
  commandId: Type.String(),
  form: Type.Union([Type.Literal("controller"), Type.Literal("sensor")]),
  controllerId: Id,
  number: Type.Integer(),
  runSeconds: Nullable(Type.Integer()),
  pressed: Nullable(Type.Object({ at: Type.Number(), withinMs: Type.Number() })),
  /** ms UTC on the server's clock, or on this machine's if the server's is unknown. */
  at: Type.Number(),
  /** True once its page has stopped waiting and revokes it. */
  givenUp: Type.Boolean(),
});
type Opening = Static<typeof Opening>;
const Openings = Type.Array(Opening);

/** Result of an opening, as far as its page knows. */
export type OpeningOutcome =
  /** The relay knows the command: the live stream delivers the rest. */
  { readonly kind: "taken" } | { readonly kind: "refused"; readonly reason: string };

export interface OpeningsDeps {
  readonly rest: RestClient;
  readonly accountId: string;
  /** Storage shared by the browser's tabs: a closed page leaves its openings to the next one. */
  readonly memory: Pick<Storage, "getItem" | "setItem" | "removeItem">;
  /** ms UTC on the server's clock. */
  readonly now: () => number;
  readonly timers: Timers;
}

const MEMORY_KEY = "mulkko.openings";
/** Maximum number of stored openings; the oldest are dropped. */
const KEPT_AT_MOST = 20;
/** Milliseconds after which the relay has dropped the command (CMD-7). */
const KEPT_MS = 24 * 3_600_000;
/** Milliseconds within which the requesting page gives up; after that any page revokes the opening. */
const LEFT_OVER_MS = 30_000;
/** Delays between attempts to revoke, ms; the last one repeats. */
const GAPS_MS = [1_000, 2_000, 5_000, 10_000, 30_000] as const;
/** Statuses after which a repeated call can succeed. */
const PASSING: ReadonlySet<number> = new Set([401, 408, 429]);

/** Openings requested in this browser that have no answer yet (CMD-12). */
export function createOpenings({ rest, accountId, memory, now, timers }: OpeningsDeps) {
  /** Ids that this page is revoking, each with a function that ends its delay. */
  const revoking = new Map<string, () => void>();

  const read = (): Opening[] => {
    const stored = parseJson(Openings, memory.getItem(MEMORY_KEY) ?? "[]");
    return stored.ok ? stored.value : [];
  };
  const write = (openings: readonly Opening[]): void => {
    if (openings.length === 0) memory.removeItem(MEMORY_KEY);
    else memory.setItem(MEMORY_KEY, JSON.stringify(openings.slice(-KEPT_AT_MOST)));
  };
  const without = (commandId: string): Opening[] => read().filter((each) => each.commandId !== commandId);
  const isStored = (commandId: string): boolean => read().some((each) => each.commandId === commandId);

  /** Try once. Return null if the relay must be asked again. */
  const tryOnce = async (opening: Opening): Promise<OpeningOutcome | null> => {
    try {
      const { state, reason } = await withdrawOpening(rest, { ...opening, target: 1 });
      const isRefused = state === "refused" || state === "failed";
      return isRefused ? { kind: "refused", reason: reason ?? "unknown" } : { kind: "taken" };
    } catch (error) {
      const isFinal = error instanceof ApiError && error.status < 500 && !PASSING.has(error.status);
      return isFinal ? { kind: "refused", reason: errorReason(error) } : null;
    }
  };
  const revoke = async (opening: Opening): Promise<OpeningOutcome> => {
    const { commandId } = opening;
    write([...without(commandId), { ...opening, givenUp: true }]);
    for (let attempt = 0; ; attempt++) {
      revoking.set(commandId, () => undefined);
      const outcome = await tryOnce(opening);
      if (outcome !== null) {
        write(without(commandId));
        revoking.delete(commandId);
        return outcome;
      }
      await new Promise<void>((resolve) => {
        const timer = timers.after(GAPS_MS[attempt] ?? 30_000, resolve);
        revoking.set(commandId, () => {
          timer.cancel();
          resolve();
        });
      });
    }
  };
  const startRevoking = (opening: Opening): void => {
    if (!revoking.has(opening.commandId)) void revoke(opening);
  };

  return {
    /**
     * Open a valve. Without an answer the opening is revoked, with retries.
     *
     * @param onUnsure called with the code for `labels.error` when no answer came and the revocation begins
     * @returns when the relay has answered; never rejects
     */
    async open(
      { target: _, ...command }: ValveCommand,
      onUnsure: (reason: string) => void,
    ): Promise<OpeningOutcome> {
      const opening: Opening = { ...command, accountId, at: now(), givenUp: false };
      const { commandId } = opening;
      write([...read(), opening]);
      try {
        await sendValveCommand(rest, { ...command, target: 1 });
      } catch (error) {
        if (error instanceof ApiError && error.status < 500) {
          write(without(commandId));
          return { kind: "refused", reason: errorReason(error) };
        }
        if (!isStored(commandId)) return { kind: "taken" };
        onUnsure(errorReason(error));
        return revoke(opening);
      }
      write(without(commandId));
      return { kind: "taken" };
    },
    /** Handle a command named by the live stream: the relay knows it, and every screen shows its state. */
    named(commandId: string) {
      const known = read().find((each) => each.commandId === commandId);
      if (known?.givenUp === false) write(without(commandId));
    },
    /** Continue to revoke openings, including those of closed pages. Call it whenever the page is live again. */
    resume() {
      for (const endPause of revoking.values()) endPause();
      const present = now();
      write(read().filter(({ at }) => present - at < KEPT_MS));
      for (const opening of read()) {
        if (opening.accountId !== accountId || revoking.has(opening.commandId)) continue;
        const left = opening.givenUp ? 0 : LEFT_OVER_MS - (present - opening.at);
        if (left <= 0) startRevoking(opening);
        else timers.after(left, () => isStored(opening.commandId) && startRevoking(opening));
      }
    },
  };
}
export type Openings = ReturnType<typeof createOpenings>;

/** One instance per client, for the signed-in account: every page shares the same openings. */
const instances = new WeakMap<RestClient, { accountId: string; openings: Openings }>();

/** Return this browser's openings that have no answer yet. */
export function useOpenings(): Openings {
  const { client } = useRest();
  const now = useServerNow();
  const accountId = `${useAccount().id}`;
  const known = instances.get(client);
  if (known?.accountId === accountId) return known.openings;
  const openings = createOpenings({
    rest: client,
    accountId,
    memory: localStorage,
    now,
    timers: systemTimers,
  });
  instances.set(client, { accountId, openings });
  return openings;
}

/** Revoke unanswered openings on whatever page is open. Renders nothing. */
export function FollowedOpenings() {
  const openings = useOpenings();
  const events = useEvents();
  const live = useIsLive();
  useEffect(() => {
    for (const { event } of events) if (event.kind === "command") openings.named(event.id);
  }, [openings, events]);
  useEffect(() => {
    if (live) openings.resume();
  }, [openings, live]);
  return null;
}
