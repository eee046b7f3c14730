import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App.tsx";
import { startI18n } from "./i18n/index.ts";
import { createBrowserSession } from "./rest/browser-session.ts";
import { createRestClient } from "./rest/client.ts";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

const session = createBrowserSession();
const client = createRestClient(session, (input, init) => fetch(input, init));
void session.start();
await startI18n();
createRoot(root).render(
  <StrictMode>
    <App rest={{ session, client }} />
  </StrictMode>,
);
