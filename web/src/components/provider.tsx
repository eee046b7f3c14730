import { ChakraProvider } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { theme } from "../theme/theme.ts";
import { Toaster } from "./toaster.tsx";
import "../theme/tokens.css";
import "../theme/base.css";
import "../theme/global.css";
import "../theme/fonts.ts";

/** Provide the context of all components: tokens, recipes, fonts, toasts. */
export function UiProvider({ children }: { children: ReactNode }) {
  return (
    <ChakraProvider value={theme}>
      {children}
      <Toaster />
    </ChakraProvider>
  );
}
