import { Link as ChakraLink, type LinkProps as ChakraLinkProps } from "@chakra-ui/react";
import type { ComponentType } from "react";
import { Link, type LinkProps } from "react-router-dom";

export interface TextLinkProps extends LinkProps {
  /** Kind of the link; a plain one by default. */
  component?: ComponentType<LinkProps>;
  /** Look of the text; that around it by default. */
  look?: ChakraLinkProps;
}

/** An underlined link in or beside a text. It can be hit with a finger without moving its line. */
export function TextLink({ component: To = Link, look, ...rest }: TextLinkProps) {
  return (
    <ChakraLink asChild variant="underline" py="var(--reach)" {...look}>
      <To {...rest} />
    </ChakraLink>
  );
}

/** Look of a link beside a heading. */
export const ASIDE = { textStyle: "label", color: "fg.muted" } as const;
