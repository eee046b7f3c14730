import { Box, Button, chakra, Flex, Stack, Text } from "@chakra-ui/react";
import type { FleetAccountValue } from "@mulkko/shared/live/fleet";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { shallow } from "zustand/shallow";
import { Card, CardNote } from "../../components/card.tsx";
import type { FleetStore } from "../../domain/fleet/fleet-store.ts";
import { useFleetSelection, useLoadingTexts } from "../../domain/fleet/hooks.ts";
import { PhoneLink } from "../../domain/fleet/PhoneLink.tsx";
import { type FleetWater, knowsWatched, unwatchedAccounts, waterOf } from "../../domain/fleet/urgent.ts";
import { useOwner } from "../../domain/fleet/use-fleet-alarm.ts";
import { ReadAsButton } from "../../domain/view-as/ReadAsButton.tsx";
import { useLinkQuality } from "../../live/hooks.ts";

const ACCOUNTS = ["account", "fleet"] as const;
/** Number of accounts in a card at first, and how many more each press shows. */
const LINES = 6;
const MORE_LINES = 50;

const sameWater = (a: FleetWater, b: FleetWater): boolean =>
  shallow({ ...a, accounts: null }, { ...b, accounts: null }) && shallow(a.accounts, b.accounts);

/** One account in a card: its name with a link to its devices, its user, and what there is to say. */
function AccountLine(props: { account: FleetAccountValue; about: string; children?: ReactNode }) {
  const { account, about, children } = props;
  const { id, username } = account;
  const owner = useOwner(id, username);
  return (
    <chakra.li borderTopWidth="1px" px="card" py="2.5" data-testid="account-line">
      <Flex wrap="wrap" align="center" columnGap="3" rowGap="1">
        <Stack gap="0" flex="1" minW="10rem">
          <Text asChild fontWeight="semibold" textDecoration="underline" textUnderlineOffset="0.2em">
            <Link to={`/adminpage/status?account=${encodeURIComponent(`${id}`)}`}>{username ?? `${id}`}</Link>
          </Text>
          <Text as="span" color="fg.muted" fontSize="caption">
            {about}
          </Text>
        </Stack>
        <Flex wrap="wrap" align="center" columnGap="2">
          {owner.name !== username && <span>{owner.name}</span>}
          {owner.phone !== null && <PhoneLink name={owner.name} phone={owner.phone} />}
        </Flex>
        {children}
      </Flex>
    </chakra.li>
  );
}

interface AccountListProps {
  readonly label: string;
  readonly accounts: readonly FleetAccountValue[];
  readonly line: (account: FleetAccountValue) => ReactNode;
}

/** List the first accounts, with a button that shows more of them. */
function AccountList({ label, accounts, line }: AccountListProps) {
  const { t } = useTranslation("urgent");
  const [shown, setShown] = useState(LINES);
  const rest = accounts.length - shown;
  return (
    <>
      <ul aria-label={label}>{accounts.slice(0, shown).map(line)}</ul>
      {rest > 0 && (
        <Box px="card" py="2.5" borderTopWidth="1px">
          <Button size="sm" variant="outline" onClick={() => setShown(shown + MORE_LINES)}>
            {t("unwatched.rest", { count: rest })}
          </Button>
        </Box>
      )}
    </>
  );
}

/** Sum up the open valves of all accounts, and list the accounts that have some (WARN-4). */
export function WaterCard() {
  const { t } = useTranslation(["urgent", "morning"]);
  const water = useFleetSelection(ACCOUNTS, waterOf, sameWater);
  const ownersKnown = useFleetSelection(ACCOUNTS, (store) => knowsWatched(store.list()));
  const isRead = useFleetSelection(ACCOUNTS, (store) => typeof store.list()?.openValves === "number");
  const loading = useLoadingTexts();
  const isSure = useLinkQuality() === "fresh";
  const { open, beyondEnd, unknownValves, unknownAccounts, accounts } = water;
  const known = water.known && ownersKnown && loading === null && isSure;
  const counts = [
    ...(beyondEnd > 0 ? [t("water.beyond", { count: beyondEnd })] : []),
    ...(unknownValves > 0 ? [t("water.unknownValves", { count: unknownValves })] : []),
    ...(unknownAccounts > 0 ? [t("water.unknownAccounts", { count: unknownAccounts })] : []),
  ];
  const none = known ? t("water.none") : isRead ? t("water.noneKnown") : t("water.unknown");
  return (
    <Card flush title={t("water.title")}>
      <Stack gap="1" px="card" pb="4">
        <Text fontWeight="semibold">
          {!isSure
            ? t("morning:unsure")
            : open > 0
              ? t(known ? "water.open" : "water.atLeast", { count: open })
              : (loading ?? none)}
        </Text>
        {isSure && counts.length > 0 && <Text color="fg.muted">{counts.join(" · ")}</Text>}
        {isSure && isRead && !ownersKnown && <Text color="fg.muted">{t("water.ownersUnknown")}</Text>}
      </Stack>
      {accounts.length > 0 && (
        <AccountList
          label={t("water.title")}
          accounts={accounts}
          line={(account) => <WaterLine key={account.id} account={account} />}
        />
      )}
    </Card>
  );
}

function WaterLine({ account }: { account: FleetAccountValue }) {
  const { t } = useTranslation("urgent");
  const { id, username, openValves, openBeyondEnd, unknownValves } = account;
  const about = [
    ...(openValves ? [t("water.openShort", { count: openValves })] : []),
    ...(openBeyondEnd ? [t("water.beyond", { count: openBeyondEnd })] : []),
    ...(unknownValves ? [t("water.unknownValves", { count: unknownValves })] : []),
  ];
  return (
    <AccountLine account={account} about={about.join(" · ")}>
      <ReadAsButton size="sm" account={{ id: `${id}`, name: username ?? `${id}` }} to="/irrigation" />
    </AccountLine>
  );
}

const unwatchedIn = (store: FleetStore) => unwatchedAccounts(store.all("account").values());

/** Name the accounts with valves that are not watched, and why (WARN-5); nothing where there is none. */
export function UnwatchedCard() {
  const { t } = useTranslation("urgent");
  const accounts = useFleetSelection(ACCOUNTS, unwatchedIn, shallow);
  const known = useFleetSelection(ACCOUNTS, (store) => knowsWatched(store.list()));
  if (accounts.length === 0) {
    return known ? null : (
      <Card flush>
        <CardNote>{t("unwatched.unknown")}</CardNote>
      </Card>
    );
  }
  return (
    <Card flush title={t("unwatched.title", { count: accounts.length })}>
      <Text px="card" pb="3" color="fg.muted">
        {t("unwatched.text")}
      </Text>
      <AccountList
        label={t("unwatched.title", { count: accounts.length })}
        accounts={accounts}
        line={(account) => (
          <AccountLine
            key={account.id}
            account={account}
            about={account.unwatched ? t(`unwatched.reason.${account.unwatched.reason}`) : ""}
          />
        )}
      />
    </Card>
  );
}
