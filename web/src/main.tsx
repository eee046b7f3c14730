import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App.tsx";
import { startI18n } from "./i18n/index.ts";
import { UiProvider } from "./ui/theme/provider.tsx";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");

await startI18n();
createRoot(root).render(
  <StrictMode>
    <UiProvider>
      <App />
    </UiProvider>
  </StrictMode>,
);
