import { Box, chakra, Flex, Grid, Heading, Text } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ColorModeSwitch } from "./color-mode-switch.tsx";
import { LanguageSwitch } from "./language-switch.tsx";
import { Logo } from "./logo.tsx";
import { PaddiesAtDawn } from "./scenes/paddies-at-dawn.tsx";

/** Frame every form before the login: the farm at dawn and this browser's settings. */
export function Entrance({ children }: { children: ReactNode }) {
  const { t } = useTranslation("common");
  return (
    <Grid
      templateColumns="minmax(0, 1.25fr) minmax(26rem, 1fr)"
      minH="100dvh"
      bg="bg.panel"
      gridTemplate={{ mdDown: "clamp(9rem, 24dvh, 17rem) 1fr / minmax(0, 1fr)" }}
    >
      <chakra.header
        position="relative"
        minH="0"
        overflow="hidden"
        css={{ "& > svg": { position: "absolute", inset: "0", w: "full", h: "full" } }}
      >
        <PaddiesAtDawn align="xMidYMid" />
        <Box
          position="absolute"
          inset={{ base: "max(1rem, env(safe-area-inset-top)) auto auto 1.25rem", md: "3rem auto auto 3rem" }}
          display={{ mdDown: "grid" }}
          gridTemplateColumns="auto 1fr"
          alignItems="center"
          gap="0 0.75rem"
          maxW="24rem"
          color={{ base: "var(--scene-ink)", _dark: "fg" }}
          css={{ mdDown: { "& > svg": { gridRow: "span 2" } } }}
        >
          <Logo size={52} />
          <Text
            mt={{ base: "0", md: "3" }}
            fontSize={{ base: "1.5rem", md: "2.5rem" }}
            fontWeight="750"
            lineHeight="1.1"
            letterSpacing="-0.02em"
          >
            {t("app.name")}
          </Text>
          <Text
            mt={{ base: "0", md: "1.5" }}
            fontSize={{ base: "0.9375rem", md: "1.0625rem" }}
            fontWeight="medium"
          >
            {t("app.claim")}
          </Text>
        </Box>
      </chakra.header>
      <Grid
        as="main"
        gridTemplate="1fr auto / minmax(0, 1fr)"
        gap={{ base: "6", md: "8" }}
        p={{ base: "6", md: "10" }}
        pb="max(2.5rem, env(safe-area-inset-bottom))"
      >
        <Grid
          templateColumns="minmax(0, 1fr)"
          alignContent={{ base: "start", md: "center" }}
          w="full"
          maxW="24rem"
          mx="auto"
        >
          {children}
        </Grid>
        <Flex wrap="wrap" justify="center" gap="3">
          <LanguageSwitch />
          <ColorModeSwitch />
        </Flex>
      </Grid>
    </Grid>
  );
}

/** Title of a form or an answer before the login. */
export function EntranceTitle({ children }: { children: ReactNode }) {
  return (
    <Heading as="h1" fontSize="1.75rem" fontWeight="bold" letterSpacing="-0.01em" lineHeight="inherit">
      {children}
    </Heading>
  );
}

/** Say what happened, or what cannot be done here. @param role `status` to announce it */
export function EntranceNote({ role, children }: { role?: "status"; children: ReactNode }) {
  return (
    <chakra.p
      role={role}
      py="3.5"
      px="4"
      borderWidth="1px"
      borderStartWidth="4px"
      borderStartColor="fg"
      rounded="card"
    >
      {children}
    </chakra.p>
  );
}

/** Look of the link to another entrance page, below the form. */
export const BESIDE_FORM = { placeSelf: "center", minH: "8", color: "fg.muted" } as const;
