import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

// What is waited for comes when it does, also on a machine with much else to do.
configure({ asyncUtilTimeout: 15_000 });

// Files share a worker and with it the page: each test leaves an empty one.
afterEach(() => {
  cleanup();
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
});
