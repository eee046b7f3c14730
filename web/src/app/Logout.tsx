import type { LogoutCheck } from "@mulkko/shared/rest/watch";
import { createElement, useEffect, useState } from "react";
import { Navigate } from "react-router-dom";
import { fetchLogoutCheck } from "../api/account.ts";
import { useRest, useSession } from "../api/hooks.ts";
import { missingStyles } from "../components/lazy/retried.ts";
import type { LogoutQuestion } from "./LogoutQuestion.tsx";

/** Valves named in the question before the logout, with its component. */
interface Asked {
  readonly valves: LogoutCheck["closesFirst"];
  readonly Question: typeof LogoutQuestion;
}

async function loadQuestion(): Promise<typeof LogoutQuestion> {
  const Question = await import("./LogoutQuestion.tsx").then((m) => m.LogoutQuestion);
  await missingStyles();
  return Question;
}

/**
 * Sign out and go to /login, also without the farm API. If the logout closes valves first (CMD-15), ask
 * before it.
 */
export function Logout() {
  const { session, client } = useRest();
  const state = useSession();
  const [asked, setAsked] = useState<Asked | null>(null);
  const phase = state.state === "starting" && state.unreachable ? "unreachable" : state.state;
  useEffect(() => {
    if (phase === "starting" || phase === "signed-out") return;
    const asking = new AbortController();
    const leave = async (): Promise<void> => {
      if (phase === "unreachable") return session.logout();
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
  }, [session, client, phase]);
  if (phase === "signed-out") return <Navigate to="/login" replace />;
  return asked && createElement(asked.Question, { valves: asked.valves });
}
