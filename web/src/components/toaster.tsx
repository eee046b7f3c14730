import { type ComponentType, createElement, useEffect } from "react";
import { createStore, useStore } from "zustand";
import { MAX_TOASTS, type ShowToasts, type Toast } from "./toast.ts";

type Region = ComponentType<{ onReady: (show: ShowToasts | null) => void }>;

/** ms after which the region is loaded without a toast, for the time when there is no network. */
const LOADED_AFTER_MS = 8_000;

/** Load the toast region with the first toast: most pages need none, and it weighs 15 kB. */
const region = createStore<{ Region: Region | null }>(() => ({ Region: null }));
const waiting: Toast[] = [];
let show: ShowToasts | null = null;
let fetching = false;

const ready = (draw: ShowToasts | null): void => {
  show = draw;
  draw?.(waiting.splice(0));
};

function loadRegion(): void {
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
    loadRegion();
  },
};

/** Render the toasts. Mounted once, in the provider. */
export function Toaster() {
  const { Region } = useStore(region);
  useEffect(() => {
    const timer = setTimeout(loadRegion, LOADED_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return Region && createElement(Region, { onReady: ready });
}
