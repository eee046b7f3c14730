import { Popover } from "@chakra-ui/react";
import { popoverSlotRecipe } from "@chakra-ui/react/theme";
import { type ReactNode, useEffect, useState } from "react";
import { changedRecipe, PANEL } from "../theme/recipe.ts";

const POPOVER = changedRecipe(popoverSlotRecipe, {
  base: {
    content: {
      ...PANEL,
      borderColor: "border",
      borderRadius: "card",
      boxShadow: "md",
      textStyle: "none",
    },
  },
});

export interface PopoverPanelProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Accessible name. */
  label: string;
  width: string;
  /** Ids of the button, which exists before this code, and of the panel. */
  ids: { trigger: string; content: string };
  children: ReactNode;
}

/** Panel below a button that is drawn elsewhere. */
export function PopoverPanel({ open, onOpenChange, label, width, ids, children }: PopoverPanelProps) {
  // The press may come before this code: the popover moves the focus only if it is there before it opens.
  const [there, setThere] = useState(false);
  useEffect(() => setThere(true), []);
  return (
    <Popover.Root
      recipe={POPOVER}
      open={open && there}
      onOpenChange={(details) => onOpenChange(details.open)}
      ids={ids}
      positioning={{ placement: "bottom-end", overflowPadding: 12 }}
      lazyMount
      unmountOnExit
    >
      <Popover.Positioner>
        <Popover.Content width={width} aria-label={label} position="relative" overflowY="auto">
          {children}
        </Popover.Content>
      </Popover.Positioner>
    </Popover.Root>
  );
}

interface PopupProps {
  /** Accessible name. */
  label: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Button that opens it. */
  trigger: ReactNode;
  children: ReactNode;
}

/** At the bottom of a phone's screen instead of beside its button: more important than the computed place. */
const AT_BOTTOM = {
  "[data-surface=phone] &": {
    position: "fixed !important",
    inset: "auto 0 0 !important",
    width: "100vw !important",
    minWidth: "0 !important",
    transform: "none !important",
  },
};

/** Small panel beside its button, at the bottom of the screen on a phone. */
export function Popup({ label, open, onOpenChange, trigger, children }: PopupProps) {
  return (
    <Popover.Root
      recipe={POPOVER}
      open={open}
      onOpenChange={(details) => onOpenChange(details.open)}
      positioning={{ placement: "bottom-end" }}
      lazyMount
      unmountOnExit
    >
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Popover.Positioner css={AT_BOTTOM}>
        <Popover.Content
          aria-label={label}
          width="max-content"
          maxWidth="min(26rem, calc(100vw - 2rem))"
          css={{
            "[data-surface=phone] &": {
              width: "100%",
              maxWidth: "none",
              maxHeight: "85vh",
              paddingBottom: "env(safe-area-inset-bottom)",
              position: "relative",
              overflowY: "auto",
              borderBottomRadius: "0",
            },
          }}
        >
          <Popover.Body padding="4">{children}</Popover.Body>
        </Popover.Content>
      </Popover.Positioner>
    </Popover.Root>
  );
}
