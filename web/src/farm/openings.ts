import { Id } from "@mulkko/shared/schema/id";
import { Nullable } from "@mulkko/shared/schema/nullable";
import { parseJson } from "@mulkko/shared/schema/parse";
import { type Static, Type } from "typebox";
import type { RestClient } from "../rest/client.ts";
import { pressValve, type ValvePress, withdrawOpening } from "../rest/command.ts";
import { errorReason } from "../rest/error-reason.ts";
import { ApiError } from "../rest/errors.ts";

/** An opening that has no answer yet, as the browser keeps it over a reload. */
const Opening = Type.Object({
  accountId: Type.String(),
  commandId: Type.String(),
  form: Type.Union([Type.Literal("controller"), Type.Literal("sensor")]),
  controllerId: Id,
  number: Type.Integer(),
  runSeconds: Nullable(Type.Integer()),
  pressed: Nullable(Type.Object({ at: Type.Number(), withinMs: Type.Number() })),
  /** ms UTC on the server's clock, or on this machine's where the server's was not known. */
  at: Type.Number(),
  /** Its page has waited for long enough, and takes it back. */
  givenUp: Type.Boolean(),
});
type Opening = Static<typeof Opening>;
const Openings = Type.Array(Opening);

/** How an opening went, as far as its page can know. */
export type OpeningOutcome =
  /** The relay knows it: the live stream tells the rest. */
  { readonly kind: "taken" } | { readonly kind: "refused"; readonly reason: string };

export interface OpeningsParts {
  readonly rest: RestClient;
  readonly accountId: string;
  /** The browser's own, shared by its tabs: a page that is closed leaves its openings to the next one. */
  readonly memory: Pick<Storage, "getItem" | "setItem" | "removeItem">;
  /** ms UTC on the server's clock. */
  readonly now: () => number;
  /** @returns calls it off */
  readonly after: (ms: number, run: () => void) => () => void;
}

/** Openings that were pressed in this browser and have no answer yet (CMD-12). */
export interface Openings {
  /**
   * Presses On. Without an answer the opening is taken back, for as long as that takes.
   *
   * @param onUnsure called when no answer came and the taking back begins, with the reason for `labels.error`
   * @returns when the relay has said what became of it; never rejects
   */
  open(press: ValvePress, onUnsure: (reason: string) => void): Promise<OpeningOutcome>;
  /** The live stream has named a command: the relay knows it, and every screen shows what becomes of it. */
  named(commandId: string): void;
  /** Goes on taking back, also what pages left over that are gone. To be called whenever the page is live again. */
  resume(): void;
}

const MEMORY_KEY = "mulkko.openings";
/** Openings kept in a browser; the oldest make room. */
const KEPT_AT_MOST = 20;
/** After this the relay has forgotten the command, ms (CMD-7). */
const KEPT_MS = 24 * 3_600_000;
/** The page that pressed gives up by itself within this; from then on any page takes it back, ms. */
const LEFT_OVER_MS = 30_000;
/** Gaps between tries to take an opening back, ms; the last one goes on. */
const GAPS_MS = [1_000, 2_000, 5_000, 10_000, 30_000] as const;
/** Statuses after which the same call may be answered otherwise. */
const PASSING: ReadonlySet<number> = new Set([401, 408, 429]);

export function createOpenings({ rest, accountId, memory, now, after }: OpeningsParts): Openings {
  /** Ids that are being taken back by this page, each with what ends its pause. */
  const takingBack = new Map<string, () => void>();

  const read = (): Opening[] => {
    const kept = parseJson(Openings, memory.getItem(MEMORY_KEY) ?? "[]");
    return kept.ok ? kept.value : [];
  };
  const write = (openings: readonly Opening[]): void => {
    if (openings.length === 0) memory.removeItem(MEMORY_KEY);
    else memory.setItem(MEMORY_KEY, JSON.stringify(openings.slice(-KEPT_AT_MOST)));
  };
  const without = (commandId: string): Opening[] => read().filter((each) => each.commandId !== commandId);
  const isKept = (commandId: string): boolean => read().some((each) => each.commandId === commandId);

  /** One try; null where the relay has to be asked again. */
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
  const takeBack = async (opening: Opening): Promise<OpeningOutcome> => {
    const { commandId } = opening;
    write([...without(commandId), { ...opening, givenUp: true }]);
    for (let attempt = 0; ; attempt++) {
      takingBack.set(commandId, () => undefined);
      const outcome = await tryOnce(opening);
      if (outcome !== null) {
        write(without(commandId));
        takingBack.delete(commandId);
        return outcome;
      }
      await new Promise<void>((resolve) => {
        const cancel = after(GAPS_MS[attempt] ?? 30_000, resolve);
        takingBack.set(commandId, () => {
          cancel();
          resolve();
        });
      });
    }
  };
  const takeUp = (opening: Opening): void => {
    if (!takingBack.has(opening.commandId)) void takeBack(opening);
  };

  return {
    async open({ target: _, ...press }, onUnsure) {
      const opening: Opening = { ...press, accountId, at: now(), givenUp: false };
      const { commandId } = opening;
      write([...read(), opening]);
      try {
        await pressValve(rest, { ...press, target: 1 });
      } catch (error) {
        if (error instanceof ApiError && error.status < 500) {
          write(without(commandId));
          return { kind: "refused", reason: errorReason(error) };
        }
        if (!isKept(commandId)) return { kind: "taken" };
        onUnsure(errorReason(error));
        return takeBack(opening);
      }
      write(without(commandId));
      return { kind: "taken" };
    },
    named(commandId) {
      const known = read().find((each) => each.commandId === commandId);
      if (known?.givenUp === false) write(without(commandId));
    },
    resume() {
      for (const endPause of takingBack.values()) endPause();
      const present = now();
      write(read().filter(({ at }) => present - at < KEPT_MS));
      for (const opening of read()) {
        if (opening.accountId !== accountId || takingBack.has(opening.commandId)) continue;
        const left = opening.givenUp ? 0 : LEFT_OVER_MS - (present - opening.at);
        if (left <= 0) takeUp(opening);
        else after(left, () => isKept(opening.commandId) && takeUp(opening));
      }
    },
  };
}
