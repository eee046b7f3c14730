import { RouterProvider, type RouterProviderProps } from "react-router-dom";
import type { Rest } from "../api/hooks.ts";
import { RestProvider } from "../api/queries.tsx";
import { UiProvider } from "../components/provider.tsx";

/** The whole client: design system, session, pages. */
export function App({ rest, router }: { rest: Rest; router: RouterProviderProps["router"] }) {
  return (
    <UiProvider>
      <RestProvider rest={rest}>
        <RouterProvider router={router} />
      </RestProvider>
    </UiProvider>
  );
}
