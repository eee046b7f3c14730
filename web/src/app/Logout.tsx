import type { LogoutCheck } from "@mulkko/shared/rest/watch";
import { createElement, useEffect, useState } from "react";
import { Navigate } from "react-router-dom";
import { fetchLogoutCheck } from "../api/account.ts";
import { type Rest, useRest, useSession } from "../api/hooks.ts";
import { missingStyles } from "../components/lazy/retried.ts";
import { hasStoredCommands } from "../domain/valve/stored-commands.ts";
import type { LogoutQuestion, UnsentQuestion } from "./LogoutQuestion.tsx";

/** Valves named in the question before the logout, with its component. */
interface Asked {
  readonly valves: LogoutCheck["closesFirst"];
  readonly Question: typeof LogoutQuestion;
}

/** Number of commands named in the question before a logout that leaves them unsent, with its component. */
interface Unsent {
  readonly count: number;
  readonly Question: typeof UnsentQuestion;
}

async function loadQuestion(): Promise<typeof LogoutQuestion> {
  const Question = await import("./LogoutQuestion.tsx").then((m) => m.LogoutQuestion);
  await missingStyles();
  return Question;
}

/** Return the number of the account's commands that a logout leaves unsent. */
async function countUnsent(rest: Rest, accountId: string): Promise<number> {
  if (!hasStoredCommands()) return 0;
  const { outboxOf } = await import("../domain/valve/use-outbox.ts");
  return outboxOf(rest, accountId).unanswered;
}

async function loadUnsent(): Promise<typeof UnsentQuestion> {
  const { UnsentQuestion } = await import("./LogoutQuestion.tsx");
  await missingStyles();
  return UnsentQuestion;
}

/**
 * Sign out and go to /login, also without the farm API. If the logout closes valves first (CMD-15), ask
 * before it, and before one that leaves stored commands unsent (CMD-8).
 */
export function Logout() {
  const rest = useRest();
  const { session, client } = rest;
  const state = useSession();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [despite, setDespite] = useState(false);
  const [unsent, setUnsent] = useState<Unsent | null>(null);
  const accountId = state.state === "signed-in" ? `${state.account.id}` : null;
  const phase = state.state === "starting" && state.unreachable ? "unreachable" : state.state;
  useEffect(() => {
    if (phase === "starting" || phase === "signed-out") return;
    const asking = new AbortController();
    const leave = async (): Promise<void> => {
      if (phase === "unreachable") return session.logout();
      const count = despite || accountId === null ? 0 : await countUnsent(rest, accountId);
      if (count > 0) {
        const Question = await loadUnsent();
        if (!asking.signal.aborted) setUnsent({ count, Question });
        return;
      }
      setUnsent(null);
      const { closesFirst: valves } = await fetchLogoutCheck(client, asking.signal);
      if (valves.length === 0) return session.logout();
      const Question = await loadQuestion();
      if (!asking.signal.aborted) setAsked({ valves, Question });
    };
    leave().catch(() => {
      // Without an answer there is no question: sign out.
      if (!asking.signal.aborted) void session.logout();
    });
    return () => asking.abort();
  }, [rest, session, client, phase, accountId, despite]);
  if (phase === "signed-out") return <Navigate to="/login" replace />;
  if (unsent !== null) {
    return createElement(unsent.Question, { count: unsent.count, onConfirm: () => setDespite(true) });
  }
  return asked && createElement(asked.Question, { valves: asked.valves });
}
