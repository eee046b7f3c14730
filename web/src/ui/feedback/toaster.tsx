import { type ComponentType, createElement } from "react";
import { createStore, useStore } from "zustand";
import { MAX_TOASTS, type ShowToasts, type Toast } from "./toast.ts";

type Region = ComponentType<{ onReady: (show: ShowToasts | null) => void }>;

/** What draws toasts is fetched for the first of them: most pages are left without any. */
const region = createStore<{ Region: Region | null }>(() => ({ Region: null }));
const waiting: Toast[] = [];
let show: ShowToasts | null = null;
let fetching = false;

const ready = (draw: ShowToasts | null): void => {
  show = draw;
  draw?.(waiting.splice(0));
};

/** Brings what toasts are drawn with, so that one can be said when nothing can be fetched any more. */
export function prepareToasts(): void {
  if (fetching) return;
  fetching = true;
  import("./toast-region.tsx").then(
    ({ ToastRegion }) => region.setState({ Region: ToastRegion }),
    () => {
      // Offline: the next toast asks again, and brings those that wait with it.
      fetching = false;
    },
  );
}

/** Shows a sentence for a moment: `toaster.create({ type: "error", title })`. */
export const toaster = {
  create(toast: Toast): void {
    if (show) {
      show([toast]);
      return;
    }
    waiting.push(toast);
    if (waiting.length > MAX_TOASTS) waiting.shift();
    prepareToasts();
  },
};

/** Where toasts appear; stands once, in the provider. */
export function Toaster() {
  const { Region } = useStore(region);
  return Region && createElement(Region, { onReady: ready });
}
