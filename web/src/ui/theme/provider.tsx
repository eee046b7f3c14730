import { ChakraProvider } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { WordsProvider } from "../../i18n/use-translation.ts";
import { Toaster } from "../feedback/toaster.tsx";
import { lateSystem } from "./system.ts";
import "virtual:system.css";
import "./base.css";
import "./fonts.ts";

/** Provide the context of all components: tokens, recipes, fonts, toasts. */
export function UiProvider({ children }: { children: ReactNode }) {
  return (
    <ChakraProvider value={lateSystem}>
      <WordsProvider>
        {children}
        <Toaster />
      </WordsProvider>
    </ChakraProvider>
  );
}
