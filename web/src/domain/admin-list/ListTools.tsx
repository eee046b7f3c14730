import { Box, Flex, Grid, Text } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { Link, type LinkProps, useLocation } from "react-router-dom";
import { SearchBox } from "../../components/field.tsx";
import { type ListAddress, MAX_TEXT } from "../../components/table-address.ts";
import { cameFrom } from "./use-return.ts";

/** Frame of a page with one list: heading, tools and rows below one another. */
export function ListPage({ children }: { children: ReactNode }) {
  return (
    <Grid
      gap="4"
      minW="0"
      css={{ "& > *": { minW: "0" }, "& > [role=radiogroup]": { justifySelf: "start" } }}
    >
      {children}
    </Grid>
  );
}

/** Replaces an empty list. */
export function NoneFound({ children }: { children: ReactNode }) {
  return (
    <Text py="8" px="0" color="fg.muted" textAlign="center" data-testid="none-found">
      {children}
    </Text>
  );
}

interface ListToolsProps {
  /** Label of the search field. */
  search: string;
  address: ListAddress;
  /** Further filters. */
  children: ReactNode;
}

/** Toolbar of a list: the search field and what belongs beside it. */
export function ListTools({ search, address, children }: ListToolsProps) {
  return (
    <Flex align="center" wrap="wrap" rowGap="2" columnGap="3">
      <SearchBox label={search} maxLength={MAX_TEXT} text={address.text} onText={address.onText} />
      {children}
    </Flex>
  );
}

/** Link of a row to its page, which leads back to the list in its present state. */
export function RowLink(props: Omit<LinkProps, "state">) {
  const { search } = useLocation();
  return (
    <Box
      asChild
      display="inline-flex"
      alignItems="center"
      minH="12"
      my="-1.5"
      _hover={{ textDecoration: "underline" }}
    >
      <Link {...props} state={cameFrom(search)} />
    </Box>
  );
}
