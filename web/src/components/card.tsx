import { Card as ChakraCard, Text } from "@chakra-ui/react";
import type { ReactNode } from "react";

export interface CardProps {
  title?: ReactNode;
  /** Right of the title. */
  aside?: ReactNode;
  /** True for no padding around the content: for lists and charts that reach the edge. */
  flush?: boolean;
  children: ReactNode;
}

/** Panel with a border. */
export function Card({ title, aside, flush = false, children }: CardProps) {
  const hasHead = Boolean(title || aside);
  return (
    <ChakraCard.Root as="section" data-testid="card">
      {hasHead && (
        <ChakraCard.Header>
          {title && <ChakraCard.Title as="h2">{title}</ChakraCard.Title>}
          {aside}
        </ChakraCard.Header>
      )}
      <ChakraCard.Body {...(flush && { px: "0", pb: "0", pt: hasHead ? "1" : "0" })}>
        {children}
      </ChakraCard.Body>
    </ChakraCard.Root>
  );
}

/** One sentence in a card whose content reaches the edge: usually that there is none. */
export function CardNote({ children }: { children: ReactNode }) {
  return (
    <Text px="card" py="4" color="fg.muted">
      {children}
    </Text>
  );
}
