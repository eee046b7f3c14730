import { Button, Flex, Text } from "@chakra-ui/react";
import { EyeIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import type { ReadAccount } from "../../api/view-as.ts";
import { useSurface } from "../../theme/use-surface.ts";
import { ADMIN_PATH } from "../page.ts";

/** Banner at the top of every page of another account's farm: account, read-only state and exit. */
export function ReadingBanner({ account, farm }: { account: ReadAccount; farm?: string | undefined }) {
  const { t } = useTranslation("shell");
  // A phone has space for the account's name and two words.
  const short = useSurface() === "phone";
  return (
    <Flex
      as="section"
      position="sticky"
      top="0"
      zIndex="calc({zIndex.sticky} + 1)"
      align="center"
      gap="3"
      h="var(--frame-top)"
      px="page"
      pt="max(0.25rem, env(safe-area-inset-top))"
      pb="1"
      borderBottomWidth="3px"
      borderColor="alarm.p2.fg"
      bg="fg"
      color="bg.panel"
      css={{ "& > svg": { flex: "none" } }}
      aria-label={t("reading.label")}
    >
      <EyeIcon />
      <Flex
        as="p"
        align="baseline"
        rowGap="0"
        columnGap="3"
        flex="1"
        minW="0"
        lineHeight="1.3"
        direction={{ mdDown: "column" }}
        css={{
          "& > *": { overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" },
          mdDown: { "& > *": { maxW: "full" } },
        }}
      >
        <Text as="strong" flex={{ md: "none" }} maxW={{ md: "60%" }} fontWeight="650">
          {t("reading.whose", { name: account.name })}
        </Text>
        <span>
          {short ? t("reading.viewOnly") : [farm, t("reading.readOnly")].filter(Boolean).join(" · ")}
        </span>
      </Flex>
      <Button
        asChild
        variant="plain"
        px="4"
        borderColor="currentColor"
        color="inherit"
        textStyle="body"
        fontWeight="semibold"
        _focusVisible={{ outlineColor: "currentColor" }}
      >
        <Link to={ADMIN_PATH}>{t("reading.leave")}</Link>
      </Button>
    </Flex>
  );
}
