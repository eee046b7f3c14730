import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";
import { toaster } from "../ui/feedback/toaster.tsx";

// Generous timeout: polling ends as soon as the condition holds, also on a busy machine.
configure({ asyncUtilTimeout: 15_000 });

// Files share a worker and with it the page: each test leaves an empty one.
afterEach(() => {
  // The toasts are the page's own: a message outlives the component that showed it.
  toaster.remove();
  cleanup();
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
});
