import { Box, Flex, type FlexProps, Heading, IconButton, Text } from "@chakra-ui/react";
import { ChevronLeftIcon } from "lucide-react";
import type { MouseEvent, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router-dom";
import { useBackNavigation } from "./back-navigation.ts";
import { ICON_ONLY } from "./icon-button.tsx";
import { useNamesPage } from "./page-name.ts";

export interface PageHeadingProps extends Omit<FlexProps, "title" | "children"> {
  title: ReactNode;
  /** One line under the title. */
  note?: ReactNode;
  /** Left of the title: usually a back link. */
  lead?: ReactNode;
  actions?: ReactNode;
  /** True if the title keeps the first line and the actions move below it on a phone. */
  broad?: boolean;
}

/** Page heading, also used as document title, with back link and actions. */
export function PageHeading({ title, note, lead, actions, broad = false, ...rest }: PageHeadingProps) {
  useNamesPage(typeof title === "string" ? title : null);
  return (
    <Flex align="center" wrap="wrap" columnGap="3" rowGap="2" mb={{ base: "4", md: "5" }} {...rest}>
      {lead}
      {/* Buttons that leave too little for the title move below it, so that it does not wrap per letter. */}
      <Box flex={{ base: broad ? "1 1 calc(100% - 5rem)" : "1 1 10rem", md: "1" }} minW="min(100%, 11rem)">
        <Heading as="h1" textStyle="heading">
          {title}
        </Heading>
        {note && <Text color="fg.muted">{note}</Text>}
      </Box>
      {actions && (
        <Flex
          wrap="wrap"
          gap="2"
          data-testid="page-actions"
          // More than two buttons get whole rows on a phone.
          mdDown={{ "&:has(> :nth-child(3))": { flex: "1 0 100%", "& > *": { flex: "1 0 auto" } } }}
        >
          {actions}
        </Flex>
      )}
    </Flex>
  );
}

export interface BackLinkProps {
  /** Address of the previous page, or of its list. */
  to: string;
  onClick?: (event: MouseEvent) => void;
}

/** Back link before a page's title. */
export function BackLink({ to, onClick }: BackLinkProps) {
  const { t } = useTranslation("common");
  return (
    <IconButton asChild {...ICON_ONLY} ms="-3" me="-2">
      <Link to={to} aria-label={t("action.back")} onClick={onClick}>
        <ChevronLeftIcon size={22} />
      </Link>
    </IconButton>
  );
}

/** Link to the previous page in its state. @param otherwise address for a user who came from elsewhere */
export function ReturnLink({ otherwise }: { otherwise: string }) {
  const navigate = useNavigate();
  const back = useBackNavigation();
  if (back === null) return <BackLink to={otherwise} />;
  const goBack = (event: MouseEvent) => {
    // A new tab has no step to go back.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void navigate(-1);
  };
  return <BackLink to={back} onClick={goBack} />;
}
