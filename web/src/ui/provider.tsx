import { ChakraProvider } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { Toaster } from "../components/toaster.tsx";
import { WordsProvider } from "../i18n/use-translation.ts";
import { theme } from "../theme/theme.ts";
import "../theme/tokens.css";
import "../theme/base.css";
import "../theme/global.css";
import "../theme/fonts.ts";

/** Provide the context of all components: tokens, recipes, fonts, toasts. */
export function UiProvider({ children }: { children: ReactNode }) {
  return (
    <ChakraProvider value={theme}>
      <WordsProvider>
        {children}
        <Toaster />
      </WordsProvider>
    </ChakraProvider>
  );
}
