import { ChakraProvider } from "@chakra-ui/react";
import createCache from "@emotion/cache";
import { CacheProvider } from "@emotion/react";
import type { ReactNode } from "react";
import { theme } from "../theme/theme.ts";
import { Toaster } from "./toaster.tsx";
import "../theme/tokens.css";
import "../theme/base.css";
import "../theme/global.css";
import "../theme/fonts.ts";

// Chakra's styles stand before the style sheets, which win over them.
const container = document.createElement("div");
document.head.prepend(container);
const styles = createCache({ key: "css", container });

/** Provide the context of all components: tokens, recipes, fonts, toasts. */
export function UiProvider({ children }: { children: ReactNode }) {
  return (
    <CacheProvider value={styles}>
      <ChakraProvider value={theme}>
        {children}
        <Toaster />
      </ChakraProvider>
    </CacheProvider>
  );
}
