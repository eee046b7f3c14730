import { Link as ChakraLink, chakra, Flex, Stack, Text } from "@chakra-ui/react";
import { Children, type ReactNode } from "react";
import { Link } from "react-router-dom";
import { Card } from "../../components/card.tsx";
import { useLoadingTexts } from "../../domain/fleet/hooks.ts";
import { PhoneLink } from "../../domain/fleet/PhoneLink.tsx";
import type { Owner } from "../../domain/fleet/use-fleet-alarm.ts";

interface MorningCardProps {
  readonly title: string;
  /** Total number. */
  readonly count: number;
  readonly aside?: ReactNode;
  /** Replaces an empty list. */
  readonly none: string;
  /** Limit of what the list knows, shown whether it is empty or not. */
  readonly note?: string | null;
  /** Link to the complete list. */
  readonly all?: { readonly to: string; readonly label: string } | undefined;
  /** Text with the number of rows that are not shown. */
  readonly rest?: string | null;
  readonly children: ReactNode;
}

/** Card of the overview with the first rows of one list. */
export function MorningCard(props: MorningCardProps) {
  const { title, count, aside, none, note, all, rest, children } = props;
  const empty = Children.count(children) === 0;
  // While data is loading, nothing is called absent.
  const loading = useLoadingTexts();
  const heading = (
    <>
      {title}{" "}
      {count > 0 && (
        <Text as="span" color="fg.muted" fontWeight="medium">
          {count}
        </Text>
      )}
    </>
  );
  return (
    <Card title={heading} aside={aside} flush>
      {empty ? (
        <Text px="card" pb="4" color="fg.muted">
          {loading ?? none}
        </Text>
      ) : (
        <ul>{children}</ul>
      )}
      {!empty && rest && (
        <Text px="card" pt="3" pb="4" borderTopWidth="1px" color="fg.muted">
          {rest}
        </Text>
      )}
      {note && !(empty && note === none) && (
        <Text py="3" px="card" borderTopWidth="1px" color="fg.muted" fontSize="caption">
          {note}
        </Text>
      )}
      {all && (
        <ChakraLink
          asChild
          variant="underline"
          alignItems="center"
          minH="12"
          w="full"
          px="card"
          borderTopWidth="1px"
          rounded="none"
          fontWeight="medium"
          _focusVisible={{ outlineOffset: "-2px" }}
        >
          <Link to={all.to}>{all.label}</Link>
        </ChakraLink>
      )}
    </Card>
  );
}

interface MorningLineProps {
  /** Address of the complete object; a line without one is no link. */
  readonly to?: string;
  /** State, by shape. */
  readonly mark?: ReactNode;
  readonly name: string;
  /** Second line, cut off at the end of its space. */
  readonly about: string;
  /** Third line: a fault. */
  readonly fault?: ReactNode;
  /** Person to call about it (CALL-1). */
  readonly call?: Owner | null;
  /** Detail at the end of the line: an age, a time, a number. */
  readonly children: ReactNode;
}

/** One line of a card of the overview. */
export function MorningLine({ to, mark, name, about, fault, call, children }: MorningLineProps) {
  const line = (
    <>
      {mark}
      <Stack as="span" flex="1" minW="0" gap="0">
        <Text as="span" truncate fontWeight="semibold" data-testid="morning-name">
          {name}
        </Text>
        <Text as="span" truncate color="fg.muted" fontSize="caption">
          {about}
        </Text>
        {fault && (
          <Text as="span" color="alarm.p2.fg" fontSize="caption">
            {fault}
          </Text>
        )}
      </Stack>
      <Stack
        as="span"
        color="fg.muted"
        fontSize="caption"
        flex="none"
        textAlign="end"
        align="end"
        gap="0"
        css={{ "& strong": { color: "fg", fontSize: "label", fontWeight: "650" } }}
      >
        {children}
      </Stack>
    </>
  );
  return (
    <chakra.li borderTopWidth="1px" display="flex" alignItems="center">
      <Flex
        asChild
        flex="1"
        minW="0"
        align="center"
        gap="2.5"
        minH="12"
        px="card"
        py="1.5"
        css={{ "&[href]": { _hover: { bg: "bg.sunk" }, _focusVisible: { outlineOffset: "-2px" } } }}
        data-testid="morning-line"
      >
        {to === undefined ? <div>{line}</div> : <Link to={to}>{line}</Link>}
      </Flex>
      {call?.phone && (
        <Text as="span" pe="card" fontSize="label">
          <PhoneLink name={call.name} phone={call.phone} />
        </Text>
      )}
    </chakra.li>
  );
}
