import { Box, Grid } from "@chakra-ui/react";
import { type ComponentType, createElement, type ReactNode, useEffect, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNote } from "./alerts.tsx";
import type { SheetProps } from "./drawer.tsx";
import { useLoaded } from "./lazy/retried.ts";
import type { PopoverPanelProps } from "./popover.tsx";
import { Skeleton } from "./skeleton.tsx";

/** Content of a panel. `onClose` closes it. */
export type PanelBody = ComponentType<{ onClose: () => void }>;

const loadSheet = () => import("./drawer.tsx").then(({ Sheet }) => Sheet);
const loadPopover = () => import("./popover.tsx").then(({ PopoverPanel }) => PopoverPanel);

/** Load the panels after this time, for the time when there is no network, ms. */
const LOADED_AFTER_MS = 8_000;

/**
 * Load the code of all panels some seconds after the start. Call once, in the shell.
 *
 * @param loadMore loads what else is needed without a network; must be a stable function
 */
export function useEarlyPanels(loadMore: () => Promise<unknown>): void {
  useEffect(() => {
    const timer = setTimeout(
      () => void Promise.all([loadSheet(), loadPopover(), loadMore()]).catch(() => undefined),
      LOADED_AFTER_MS,
    );
    return () => clearTimeout(timer);
  }, [loadMore]);
}

interface LazyContentProps {
  /** Load the content with its translations. Must be a stable function. */
  load: () => Promise<PanelBody>;
  onClose: () => void;
}

function LazyContent({ load, onClose }: LazyContentProps) {
  const { t } = useTranslation("common");
  const body = useLoaded(load);
  switch (body.state) {
    case "there":
      return createElement(body.value, { onClose });
    case "failed":
      return <ErrorNote>{t("error.network")}</ErrorNote>;
    case "loading":
      return (
        <Grid gap="3" padding="4" aria-busy="true">
          <Skeleton height="3rem" />
          <Skeleton height="3rem" />
        </Grid>
      );
  }
}

/** Open a sheet and load it with its content on first use. */
export function LazySheet({ load, ...sheet }: LazyContentProps & Omit<SheetProps, "children">) {
  const frame = useLoaded(loadSheet);
  if (frame.state !== "there") return null;
  const Frame = frame.value;
  return (
    <Frame {...sheet}>
      <LazyContent load={load} onClose={sheet.onClose} />
    </Frame>
  );
}

/** Props of the button that opens a popover. */
interface PopoverButtonProps {
  id: string;
  "aria-haspopup": "dialog";
  "aria-expanded": boolean;
  "aria-controls": string | undefined;
  onClick: () => void;
}

interface LazyPopoverProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Accessible name. */
  label: string;
  width: string;
  /** Load the content, as soon as the user approaches the button. Must be a stable function. */
  load: () => Promise<PanelBody>;
  button: (props: PopoverButtonProps) => ReactNode;
}

/**
 * Button with a panel below it. It closes on Escape, on a press beside it and when the focus leaves, and
 * returns the focus to the button.
 */
export function LazyPopover({ load, button, ...panel }: LazyPopoverProps) {
  const id = useId();
  const [reached, setReached] = useState(false);
  // Start loading before the press ends. A failure shows when the panel requests the content.
  const reach = () => {
    setReached(true);
    load().catch(() => undefined);
  };
  const { open, onOpenChange } = panel;
  return (
    <Box flex="none" onPointerEnter={reach} onFocus={reach}>
      {button({
        id: `${id}button`,
        "aria-haspopup": "dialog",
        "aria-expanded": open,
        "aria-controls": open ? id : undefined,
        onClick: () => onOpenChange(!open),
      })}
      {(reached || open) && (
        <LazyPanel {...panel} ids={{ trigger: `${id}button`, content: id }}>
          <LazyContent load={load} onClose={() => onOpenChange(false)} />
        </LazyPanel>
      )}
    </Box>
  );
}

function LazyPanel(props: PopoverPanelProps) {
  const frame = useLoaded(loadPopover);
  return frame.state === "there" && createElement(frame.value, props);
}
