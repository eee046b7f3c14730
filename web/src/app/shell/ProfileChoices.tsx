import { chakra, Flex, Grid, Stack, Text } from "@chakra-ui/react";
import { LogOutIcon, MonitorIcon, ShieldCheckIcon } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { usePerson } from "../../api/hooks.ts";
import { ColorModeSwitch } from "../../components/color-mode-switch.tsx";
import { LanguageSwitch } from "../../components/language-switch.tsx";
import { OwnLink } from "../../domain/view-as/OwnLink.tsx";
import { ADMIN_PATH } from "../page.ts";

/** Contents of the profile menu: account, browser settings, logout. */
export function ProfileChoices({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["shell", "common"]);
  const account = usePerson();
  return (
    <>
      <Grid asChild px="4" py="3.5" color="fg" _hover={{ bg: "bg.sunk" }}>
        <OwnLink to="/account" onClick={onClose}>
          <strong>{account.nickname || account.username}</strong>
          <chakra.span color="fg.muted" fontSize="label">
            {account.farmAddress || account.username}
          </chakra.span>
        </OwnLink>
      </Grid>
      <Choice name={t("common:language.title")}>
        <LanguageSwitch />
      </Choice>
      <Choice name={t("common:colorMode.title")}>
        <ColorModeSwitch />
      </Choice>
      <Flex asChild {...WAY}>
        <OwnLink to="/displays" onClick={onClose}>
          <MonitorIcon />
          {t("nav.displays")}
        </OwnLink>
      </Flex>
      {account.userType === "ADMIN" && (
        <Flex asChild {...WAY}>
          <Link to={ADMIN_PATH} onClick={onClose}>
            <ShieldCheckIcon />
            {t("nav.admin")}
          </Link>
        </Flex>
      )}
      <Flex asChild {...WAY}>
        <Link to="/logout">
          <LogOutIcon />
          {t("logout")}
        </Link>
      </Flex>
    </>
  );
}

/** Look of a link of the menu. */
const WAY = {
  align: "center",
  gap: "3",
  minH: "3.25rem",
  px: "4",
  borderTopWidth: "1px",
  color: "fg",
  _hover: { bg: "bg.sunk" },
} as const;

function Choice({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Stack align="start" gap="0.4rem" px="4" py="3" borderTopWidth="1px">
      <Text as="span" color="fg.muted" fontSize="caption">
        {name}
      </Text>
      {children}
    </Stack>
  );
}
