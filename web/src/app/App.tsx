import { useState } from "react";
import { RouterProvider } from "react-router-dom";
import { type Rest, RestContext } from "../rest/hooks.ts";
import { UiProvider } from "../ui/theme/provider.tsx";
import { createRouter } from "./router.tsx";

/** The whole client: design system, session, pages. */
export function App({ rest }: { rest: Rest }) {
  const [router] = useState(createRouter);
  return (
    <UiProvider>
      <RestContext value={rest}>
        <RouterProvider router={router} />
      </RestContext>
    </UiProvider>
  );
}
