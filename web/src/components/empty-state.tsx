import { Button, EmptyState as ChakraEmptyState } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";

export interface EmptyStateProps {
  /** An illustration. */
  scene: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  /** The next step: a button, or a link that looks like one. */
  action?: ReactNode;
  /** The next step as an address with its text. */
  link?: { to: string; text: string };
}

/** Fill a page without content: an illustration, a sentence and the next step. */
export function EmptyState({ scene, title, children, action, link }: EmptyStateProps) {
  return (
    <ChakraEmptyState.Root data-testid="empty-state" maxW="md" mx="auto">
      <ChakraEmptyState.Content textAlign="center">
        <ChakraEmptyState.Indicator
          display="block"
          w="min(100%, 20rem)"
          aspectRatio={8 / 5}
          overflow="hidden"
          rounded="lg"
        >
          {scene}
        </ChakraEmptyState.Indicator>
        <ChakraEmptyState.Title asChild>
          <h1>{title}</h1>
        </ChakraEmptyState.Title>
        {children && <ChakraEmptyState.Description>{children}</ChakraEmptyState.Description>}
        {action}
        {link && (
          <Button asChild variant="outline">
            <Link to={link.to}>{link.text}</Link>
          </Button>
        )}
      </ChakraEmptyState.Content>
    </ChakraEmptyState.Root>
  );
}
