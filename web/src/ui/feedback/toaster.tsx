import { type ComponentType, createElement } from "react";
import { createStore, useStore } from "zustand";
import { MAX_TOASTS, type ShowToasts, type Toast } from "./toast.ts";

type Region = ComponentType<{ onReady: (show: ShowToasts | null) => void }>;

/** Load the toast region with the first toast: most pages need none. */
const region = createStore<{ Region: Region | null }>(() => ({ Region: null }));
const waiting: Toast[] = [];
let show: ShowToasts | null = null;
let fetching = false;

const ready = (draw: ShowToasts | null): void => {
  show = draw;
  draw?.(waiting.splice(0));
};

/** Load the toast region ahead of time, so that a toast can be shown while offline. */
export function prepareToasts(): void {
  if (fetching) return;
  fetching = true;
  import("./toast-region.tsx").then(
    ({ ToastRegion }) => region.setState({ Region: ToastRegion }),
    () => {
      // Offline: the next toast retries and shows the waiting ones too.
      fetching = false;
    },
  );
}

/** Show a temporary message: `toaster.create({ type: "error", title })`. */
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

/** Render the toasts. Mounted once, in the provider. */
export function Toaster() {
  const { Region } = useStore(region);
  return Region && createElement(Region, { onReady: ready });
}
