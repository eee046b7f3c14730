import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";
// jsdom has no canvas: a chart whose code has come would fail in its first frame, outside of any test.
import "vitest-canvas-mock";

// Generous timeout: polling ends as soon as the condition holds, also on a busy machine.
configure({ asyncUtilTimeout: 15_000 });

// Files share a worker and with it the page: each test leaves an empty one.
afterEach(() => {
  cleanup();
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
});
