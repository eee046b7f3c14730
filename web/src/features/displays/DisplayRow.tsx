import { chakra, Flex, Stack, Text } from "@chakra-ui/react";
import type { Display } from "@mulkko/shared/rest/displays";
import { useTranslation } from "react-i18next";
import { useAccount } from "../../api/hooks.ts";
import { OverflowMenu } from "../../components/menu.tsx";
import { useTimeWords } from "../../domain/time/use-time-words.ts";

interface DisplayRowProps {
  readonly display: Display;
  readonly farmNames: ReadonlyMap<string, string>;
  readonly onChange: () => void;
  readonly onRevoke: () => void;
}

/** One display with its name, connection and content. */
export function DisplayRow({ display, farmNames, onChange, onRevoke }: DisplayRowProps) {
  const { t } = useTranslation("displays");
  const times = useTimeWords();
  const account = useAccount();
  const { settings, connected, lastSeenAt } = display;
  const { name, farms, pages, scope } = settings;
  // Displays of another account are listed below that account's name.
  const Name = String(display.account) === String(account.id) ? "h3" : "h4";
  const seen = connected
    ? t("row.connected")
    : lastSeenAt === null
      ? t("row.never")
      : t("row.seen", { time: times.dayTime(Date.parse(lastSeenAt)) });
  const shown =
    farms === null
      ? t("field.allFarms")
      : farms.map((id) => farmNames.get(String(id)) ?? t("row.farm", { id: String(id) })).join(", ");
  return (
    <Flex
      as="li"
      align="flex-start"
      justify="space-between"
      gap="3"
      py="3"
      css={{
        "& + &": { borderTopWidth: "1px" },
        "& :is(h3, h4)": { fontWeight: "semibold", overflowWrap: "anywhere" },
      }}
      data-testid="display-row"
    >
      <Stack gap="0.5" minW="0">
        <Name>{name}</Name>
        <chakra.p
          css={{
            "&::before": { content: '"○ "', color: "fg.subtle" },
            "&[data-connected]::before": { content: '"● "', color: "fg" },
          }}
          data-connected={connected || undefined}
        >
          {seen}
        </chakra.p>
        <Text color="fg.muted" fontSize="label" overflowWrap="anywhere">
          {shown}
        </Text>
        <Text color="fg.muted" fontSize="label" overflowWrap="anywhere">
          {pages.map((page) => t(`page.${page}`)).join(" · ")}
          {scope === "ack" && ` · ${t("row.acks")}`}
        </Text>
      </Stack>
      <OverflowMenu
        label={t("row.more", { name })}
        actions={[
          { key: "change", label: t("row.change"), onChoose: onChange },
          { key: "revoke", label: t("row.revoke"), danger: true, onChoose: onRevoke },
        ]}
      />
    </Flex>
  );
}
