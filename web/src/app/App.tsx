import { RouterProvider, type RouterProviderProps } from "react-router-dom";
import { type Rest, RestContext } from "../rest/hooks.ts";
import { UiProvider } from "../ui/provider.tsx";

/** The whole client: design system, session, pages. */
export function App({ rest, router }: { rest: Rest; router: RouterProviderProps["router"] }) {
  return (
    <UiProvider>
      <RestContext value={rest}>
        <RouterProvider router={router} />
      </RestContext>
    </UiProvider>
  );
}
