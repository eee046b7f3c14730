import type { LogoutCheck } from "@mulkko/shared/rest/watch";
import { createElement, useEffect, useState } from "react";
import { Navigate } from "react-router-dom";
import { fetchLogoutCheck } from "../api/account.ts";
import { useRest, useSession } from "../api/hooks.ts";
import { missingStyles } from "../components/lazy/retried.ts";
import { outboxOf } from "../domain/valve/use-outbox.ts";
import type { LogoutQuestion, UnsentQuestion } from "./LogoutQuestion.tsx";

/** Valves named in the question before the logout, with its component. */
interface Asked {
  readonly valves: LogoutCheck["closesFirst"];
  readonly Question: typeof LogoutQuestion;
}

async function loadQuestion(): Promise<typeof LogoutQuestion> {
  const { LogoutQuestion } = await import("./LogoutQuestion.tsx");
  await missingStyles();
  return LogoutQuestion;
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
  const [UnsentQuestionNow, setUnsentQuestion] = useState<typeof UnsentQuestion | null>(null);
  const accountId = state.state === "signed-in" ? `${state.account.id}` : null;
  // Read once: the log-out of a user who decides here must not be interrupted by an answer.
  const [unsent] = useState(() => (accountId === null ? 0 : outboxOf(rest, accountId).unanswered));
  const phase = state.state === "starting" && state.unreachable ? "unreachable" : state.state;
  useEffect(() => {
    if (phase === "starting" || phase === "signed-out") return;
    const asking = new AbortController();
    const leave = async (): Promise<void> => {
      if (phase === "unreachable") return session.logout();
      if (unsent > 0 && !despite) {
        const Question = await loadUnsent();
        if (!asking.signal.aborted) setUnsentQuestion(() => Question);
        return;
      }
      setUnsentQuestion(null);
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
  }, [session, client, phase, unsent, despite]);
  if (phase === "signed-out") return <Navigate to="/login" replace />;
  if (UnsentQuestionNow !== null) {
    return createElement(UnsentQuestionNow, { count: unsent, onConfirm: () => setDespite(true) });
  }
  return asked && createElement(asked.Question, { valves: asked.valves });
}
