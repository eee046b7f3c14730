import { ChakraProvider } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { Toaster } from "../feedback/toaster.tsx";
import { system } from "./system.ts";
import "./base.css";
import "./fonts.ts";

/** Everything that drawn components need around them: tokens, recipes, fonts, toasts. */
export function UiProvider({ children }: { children: ReactNode }) {
  return (
    <ChakraProvider value={system}>
      {children}
      <Toaster />
    </ChakraProvider>
  );
}
