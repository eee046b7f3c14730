import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createBrowserSession } from "./api/browser-session.ts";
import { createRestClient } from "./api/client.ts";
import { createViewAsService } from "./api/view-as.ts";
import { App } from "./app/App.tsx";
import { createOfflineCache, forgetAtLogout, forgetPhotos } from "./app/offline/offline-cache.ts";
import { createRouter } from "./app/router.tsx";
import { retried, watchStyles } from "./components/lazy/retried.ts";
import { startTranslations } from "./i18n/translations.ts";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

watchStyles();
const session = createBrowserSession();
const client = createRestClient(session, (input, init) => fetch(input, init));
forgetAtLogout(session, createOfflineCache());
const reading = createViewAsService(session, sessionStorage, localStorage, () => void forgetPhotos());
void session.start();
await retried(() => startTranslations(["app"]));
createRoot(root).render(
  <StrictMode>
    <App rest={{ session, client, reading }} router={createRouter()} />
  </StrictMode>,
);
