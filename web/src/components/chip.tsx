import { Button, type ButtonProps, chakra, Flex, type FlexProps } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { FINGER } from "../theme/recipe.ts";

/** A row of chips: wraps on a desktop and scrolls on a phone; nothing of it is printed. */
export function ChipRow(props: FlexProps) {
  return (
    <Flex
      as="ul"
      gap="2"
      wrap={{ md: "wrap" }}
      mx={{ mdDown: "calc(-1 * {spacing.page})" }}
      px={{ mdDown: "page" }}
      position="relative"
      overflowX={{ mdDown: "auto" }}
      scrollbarWidth="none"
      _print={{ display: "none" }}
      {...props}
    />
  );
}

export interface ChipProps extends ButtonProps {
  count?: number | undefined;
  /** Icon after the number. */
  end?: ReactNode;
  /** True for a lower chip on a desktop, for many of them above a list. */
  dense?: boolean;
}

/** The system replaces every background in forced colours, so that the chosen item gets its own. */
export const HIGHLIGHTED = { forcedColorAdjust: "none", bg: "Highlight", color: "HighlightText" } as const;

const INVERTED = { borderColor: "fg", bg: "fg", color: "bg.panel" } as const;

/** Look of a button that is one of several: with `aria-pressed` or `data-chosen` it is inverted. */
export const ONE_OF_SEVERAL = {
  variant: "outline",
  size: "sm",
  bg: "bg.panel",
  _hover: { bg: "bg.sunk" },
  css: {
    // Twice: stronger than the looks of a button under the pointer and of one that is expanded.
    "&&:is([aria-pressed=true], [data-chosen])": {
      "&, &:hover": INVERTED,
      "@media (forced-colors: active)": { "&, &:hover": HIGHLIGHTED },
    },
  },
} as const;

/** Filter button with a number. `aria-pressed` or `data-chosen` inverts it. */
export function Chip({ count, end, dense = false, children, ...rest }: ChipProps) {
  return (
    <Button
      {...ONE_OF_SEVERAL}
      h={dense ? { base: FINGER, md: "8" } : undefined}
      px={dense ? { base: "3.5", md: "3" } : undefined}
      gap="1.5"
      rounded="full"
      textStyle="label"
      _icon={{ boxSize: "3.5" }}
      {...rest}
    >
      {children}
      {count !== undefined && (
        <chakra.span opacity="0.75" data-count>
          {count}
        </chakra.span>
      )}
      {end}
    </Button>
  );
}
