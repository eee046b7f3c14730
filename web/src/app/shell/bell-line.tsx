import { chakra, Flex, Grid, Text } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { useLabels } from "../../i18n/labels.ts";

export interface BellLineProps {
  icon?: ReactNode;
  title: ReactNode;
  detail: ReactNode;
  /** Age of the event, ms. */
  age: number;
  /** True for a line that stands out: a trouble, or a new notification. */
  noteworthy: boolean;
  /** Address of the object; a line without one is no link. */
  to?: string | undefined;
  onGo?: () => void;
}

/** One line of the bell's lists. */
export function BellLine({ icon, title, detail, age, noteworthy, to, onGo }: BellLineProps) {
  const words = useLabels();
  const body = (
    <>
      {icon && (
        <chakra.span flex="none" mt="0.1rem" color={noteworthy ? "fg" : "fg.subtle"}>
          {icon}
        </chakra.span>
      )}
      <Grid as="span" flex="1" minW="0" gap="0.1rem" css={{ [LARGE_LETTERS]: { flexBasis: "70%" } }}>
        <chakra.span fontWeight={noteworthy ? "650" : "medium"}>{title}</chakra.span>
        <chakra.span color="fg.muted" fontSize="label">
          {detail}
        </chakra.span>
      </Grid>
      <chakra.span flex="none" color="fg.subtle" fontSize="caption">
        {words.age(age)}
      </chakra.span>
    </>
  );
  return (
    <chakra.li
      _notFirst={{ borderTopWidth: "1px" }}
      data-testid="bell-line"
      data-noteworthy={noteworthy || undefined}
    >
      <Flex
        asChild
        gap="3"
        minH="3.25rem"
        px="3.5"
        py="2.5"
        color="fg"
        css={{
          [LARGE_LETTERS]: { flexWrap: "wrap" },
          "&[href]": { _hover: { bg: "bg.sunk" }, _focusVisible: { outlineOffset: "-2px" } },
        }}
      >
        {to === undefined ? (
          <span>{body}</span>
        ) : (
          <Link to={to} onClick={onGo}>
            {body}
          </Link>
        )}
      </Flex>
    </chakra.li>
  );
}

/** A phone with large letters. */
const LARGE_LETTERS = "@media (max-width: 22rem)";

/** Sentence instead of an empty list. */
export function BellNone({ children }: { children: ReactNode }) {
  return (
    <Text px="4" py="6" color="fg.muted" textAlign="center" data-testid="bell-empty">
      {children}
    </Text>
  );
}
