import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { MemoryRouter } from "react-router-dom";
import { startI18n } from "../i18n/index.ts";
import { UiProvider } from "../ui/theme/provider.tsx";
import { Gallery } from "./gallery.tsx";

const root = document.getElementById("root");
if (root === null) throw new Error("gallery.html has no #root");

await startI18n();
createRoot(root).render(
  <StrictMode>
    <UiProvider>
      <MemoryRouter initialEntries={["/sensors"]}>
        <Gallery />
      </MemoryRouter>
    </UiProvider>
  </StrictMode>,
);
