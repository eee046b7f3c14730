import { parseJson } from "@mulkko/shared/schema/parse";
import { type Static, Type } from "typebox";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { RestClient } from "../rest/client.ts";
import { newCommandId } from "../rest/command.ts";
import { closeAll } from "../rest/commands.ts";
import { errorReason } from "../rest/error-reason.ts";
import { ApiError } from "../rest/errors.ts";
import { fetchCommandsSince } from "../rest/recent-commands.ts";
import { advance, Closing, type ClosingStep, stepOfLogged, summaryOf } from "./close-all.ts";

/** The close-all that this page shows, from the press to the last valve's word. */
export type ClosingState =
  | { readonly state: "none" }
  | { readonly state: "sending"; readonly jobId: string; readonly farmId: string | null }
  | {
      /** `unsure`: no answer came that says whether it was told. */
      readonly state: "refused" | "unsure";
      readonly jobId: string;
      readonly farmId: string | null;
      /** For `labels.error`. */
      readonly reason: string;
    }
  | { readonly state: "told"; readonly closing: Closing };

/** Where a tab keeps what it has begun, so that a reload does not lose it. */
export type ClosingMemory = Pick<Storage, "getItem" | "setItem" | "removeItem">;

export interface ClosingParts {
  readonly rest: RestClient;
  readonly accountId: string;
  readonly memory: ClosingMemory;
  /** ms UTC on the server's clock. */
  readonly now: () => number;
}

export interface ClosingDesk {
  readonly store: StoreApi<ClosingState>;
  /** Tells every valve of a farm to close, of the account for null. Never rejects: the state says how it went. */
  close(farmId: string | null): Promise<void>;
  /** Asks for the same once more, under the same key: what was told already is not told twice. */
  repeat(): Promise<void>;
  /** A step that the live stream tells. */
  step(step: ClosingStep): void;
  /** Reads what became of it while no page was open. Never rejects: the live stream goes on telling. */
  catchUp(signal: AbortSignal): Promise<void>;
  dismiss(): void;
}

const MEMORY_KEY = "mulkko.closing";

/** What stands in the memory: of one account, and no other. */
const Kept = Type.Object({ accountId: Type.String(), closing: Closing });
type Kept = Static<typeof Kept>;

/** The log of commands is asked from a little before the press, ms: clocks and queues. */
const BEFORE_MS = 10_000;

/** Older than this, ms, is no news: the log of commands does not reach further. */
const KEPT_FOR_MS = 23 * 3_600_000;

export function createClosingDesk({ rest, accountId, memory, now }: ClosingParts): ClosingDesk {
  const store = createStore<ClosingState>(() => readKept(memory, accountId, now()));
  const show = (state: ClosingState): void => {
    if (state.state === "told") {
      const kept: Kept = { accountId, closing: state.closing };
      memory.setItem(MEMORY_KEY, JSON.stringify(kept));
    } else memory.removeItem(MEMORY_KEY);
    store.setState(state, true);
  };
  const tell = async (jobId: string, farmId: string | null): Promise<void> => {
    const at = now();
    show({ state: "sending", jobId, farmId });
    try {
      const answer = await closeAll(rest, farmId ?? "all", jobId);
      show({ state: "told", closing: { ...answer, farmId, at } });
    } catch (error) {
      const said = error instanceof ApiError && error.status < 500;
      show({ state: said ? "refused" : "unsure", jobId, farmId, reason: errorReason(error) });
    }
  };
  const step = (each: ClosingStep): void => {
    const state = store.getState();
    if (state.state !== "told") return;
    const closing = advance(state.closing, each);
    if (closing !== state.closing) show({ state: "told", closing });
  };
  return {
    store,
    close: (farmId) => tell(newCommandId(), farmId),
    async repeat() {
      const state = store.getState();
      if (state.state === "refused" || state.state === "unsure") await tell(state.jobId, state.farmId);
    },
    step,
    async catchUp(signal) {
      const state = store.getState();
      if (state.state !== "told" || summaryOf(state.closing).state === "all-closed") return;
      try {
        const { commands } = await fetchCommandsSince(rest, state.closing.at - BEFORE_MS, signal);
        for (const command of commands) step(stepOfLogged(command));
      } catch {
        // What the log cannot say now, the stream says with the valve's next word.
      }
    },
    dismiss: () => show({ state: "none" }),
  };
}

function readKept(memory: ClosingMemory, accountId: string, now: number): ClosingState {
  const text = memory.getItem(MEMORY_KEY);
  const kept = text === null ? null : parseJson(Kept, text);
  if (!kept?.ok || kept.value.accountId !== accountId) return { state: "none" };
  const { closing } = kept.value;
  return now - closing.at > KEPT_FOR_MS ? { state: "none" } : { state: "told", closing };
}
