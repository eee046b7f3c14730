import type { SystemContext } from "@chakra-ui/react";
import { makeSystem } from "./made-system.ts";

let system: SystemContext | undefined;

const made = (): SystemContext => {
  system ??= makeSystem();
  return system;
};

/**
 * Design system for the library's provider, created when the first component needs it: the first page uses
 * plain CSS only. The build writes the library's global styles to `system.css`, so the library writes none at
 * run time.
 */
export const lateSystem: SystemContext = {
  $$chakra: true,
  _config: { disableLayers: true },
  _global: [],
  get utility() {
    return made().utility;
  },
  get conditions() {
    return made().conditions;
  },
  get tokens() {
    return made().tokens;
  },
  get breakpoints() {
    return made().breakpoints;
  },
  get properties() {
    return made().properties;
  },
  get isValidProperty() {
    return made().isValidProperty;
  },
  get normalizeValue() {
    return made().normalizeValue;
  },
  get splitCssProps() {
    return made().splitCssProps;
  },
  get getTokenCss() {
    return made().getTokenCss;
  },
  get getGlobalCss() {
    return made().getGlobalCss;
  },
  get getPreflightCss() {
    return made().getPreflightCss;
  },
  get css() {
    return made().css;
  },
  get cva() {
    return made().cva;
  },
  get sva() {
    return made().sva;
  },
  get getRecipe() {
    return made().getRecipe;
  },
  get getSlotRecipe() {
    return made().getSlotRecipe;
  },
  get getRecipeFn() {
    return made().getRecipeFn;
  },
  get getSlotRecipeFn() {
    return made().getSlotRecipeFn;
  },
  get isRecipe() {
    return made().isRecipe;
  },
  get isSlotRecipe() {
    return made().isSlotRecipe;
  },
  get hasRecipe() {
    return made().hasRecipe;
  },
  get token() {
    return made().token;
  },
  get layers() {
    return made().layers;
  },
  get query() {
    return made().query;
  },
};

/** A separate task: the browser can handle input between two of them. */
const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve));

/** Style of the most frequent button. */
const USUAL_BUTTON = { size: "sm", variant: "outline" } as const;

/**
 * Create the system in a separate task while a page loads. Nearly every page except the first has a library
 * button, and creation takes as long as rendering a page. Pre-compute the default button style too: the first
 * resolution is the expensive one.
 */
export async function prepareSystem(): Promise<void> {
  if (system) return;
  await nextTask();
  const button = made().getRecipeFn("button");
  await nextTask();
  const [buttonProps] = button.splitVariantProps(USUAL_BUTTON);
  button(buttonProps);
}
