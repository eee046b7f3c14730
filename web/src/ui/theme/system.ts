import type { SystemContext } from "@chakra-ui/react";
import { makeSystem } from "./made-system.ts";

let system: SystemContext | undefined;

const made = (): SystemContext => {
  system ??= makeSystem();
  return system;
};

/**
 * The design system for the library's provider, made when the first component asks for it: the first page is drawn by
 * plain CSS alone. What the library would write for all pages is in `system.css` from the build on, so that it is told
 * to write nothing.
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

/** A task of its own: between two of them a press is heard. */
const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve));

/** The button of nearly every page. */
const USUAL_BUTTON = { size: "sm", variant: "outline" } as const;

/**
 * Makes it in a task of its own, for a page that is on its way: nearly every one but the first has a button of the
 * library, and making it takes as long as drawing a page. The first button is as slow as all others together, so that
 * its look is worked out ahead as well.
 */
export async function prepareSystem(): Promise<void> {
  if (system) return;
  await nextTask();
  const button = made().getRecipeFn("button");
  await nextTask();
  const [look] = button.splitVariantProps(USUAL_BUTTON);
  button(look);
}
