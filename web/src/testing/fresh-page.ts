import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

// Generous timeout: polling ends as soon as the condition holds, also on a busy machine.
configure({ asyncUtilTimeout: 15_000 });

// Files share a worker and with it the page: each test leaves an empty one.
afterEach(() => {
  cleanup();
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
});
