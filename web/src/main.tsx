import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App.tsx";
import { forgetAtLogout, forgetPhotos } from "./app/offline/forget-at-logout.ts";
import { registerWorker } from "./app/offline/register-worker.ts";
import { createShelf } from "./app/offline/shelf.ts";
import { createRouter } from "./app/router.tsx";
import { startI18n } from "./i18n/index.ts";
import { createBrowserSession } from "./rest/browser-session.ts";
import { createRestClient } from "./rest/client.ts";
import { createReadingDesk } from "./rest/reading.ts";
import { watchStyles } from "./ui/lazy/retried.ts";
import { bringFonts } from "./ui/theme/bring-fonts.ts";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

watchStyles();
bringFonts(document.fonts, localStorage);
const session = createBrowserSession();
const client = createRestClient(session, (input, init) => fetch(input, init));
forgetAtLogout(session, createShelf());
const reading = createReadingDesk(session, sessionStorage, localStorage, () => void forgetPhotos());
registerWorker();
void session.start();
await startI18n();
// The page's own files are on their way before the frame around it is drawn, which is a task of its own.
const router = createRouter();
await new Promise((resolve) => setTimeout(resolve));
createRoot(root).render(
  <StrictMode>
    <App rest={{ session, client, reading }} router={router} />
  </StrictMode>,
);
