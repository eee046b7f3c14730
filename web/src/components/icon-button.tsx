import { Badge, IconButton as ChakraIconButton, type IconButtonProps as ChakraProps } from "@chakra-ui/react";
import type { ComponentType, Ref } from "react";
import { Link, type LinkProps } from "react-router-dom";

export interface IconButtonProps extends ChakraProps {
  /** Action of the button, for screen readers. */
  label: string;
  /** Badge number at the icon's corner; 0 shows none. */
  count?: number;
  ref?: Ref<HTMLButtonElement>;
}

/** Look of a button with an icon alone: its size does not grow with large letters. */
export const ICON_ONLY = {
  variant: "ghost",
  boxSize: "target",
  minW: "target",
  flex: "none",
  textStyle: "lg",
  _icon: { fontSize: "1em" },
  // An open menu beside it says enough.
  _expanded: { bg: "transparent" },
} as const;

const MOST = 99;

/** A 48 px icon button. It passes other props on, so that a menu can use it as its trigger. */
export function IconButton({ label, children, count = 0, ...rest }: IconButtonProps) {
  const shown = count > MOST ? `${MOST}+` : String(count);
  const name = count > 0 ? `${label} ${shown}` : label;
  return (
    <ChakraIconButton {...ICON_ONLY} {...rest} aria-label={name} title={label}>
      {children}
      {count > 0 && (
        <Badge
          variant="solid"
          position="absolute"
          top="1"
          insetStart="54%"
          rounded="full"
          px="1"
          minW="4.5"
          minH="4.5"
          justifyContent="center"
          aria-hidden
        >
          {shown}
        </Badge>
      )}
    </ChakraIconButton>
  );
}

export interface IconLinkProps extends LinkProps {
  /** Name of the link, for screen readers. */
  label: string;
  /** Explanation on hover; the name by default. */
  title?: string;
  /** Kind of the link; a plain one by default. */
  component?: ComponentType<LinkProps>;
}

/** A 48 px link with an icon alone. */
export function IconLink({ label, title = label, component: To = Link, ...rest }: IconLinkProps) {
  return (
    <ChakraIconButton asChild {...ICON_ONLY}>
      <To aria-label={label} title={title} {...rest} />
    </ChakraIconButton>
  );
}
