import { Flex, Grid, Text } from "@chakra-ui/react";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { FLEET_STATES, type FleetState } from "../../domain/fleet/device-state.ts";
import type { FleetStore } from "../../domain/fleet/fleet-store.ts";
import { useLoadingWords } from "../../domain/fleet/fleet-words.ts";
import { useFleetSelection } from "../../domain/fleet/hooks.ts";
import { tallyOf } from "../../domain/fleet/morning.ts";
import { StateMark } from "../../domain/fleet/StateMark.tsx";
import { useShownQuality } from "../../live/hooks.ts";

const DEVICES = ["device"] as const;
/** Always shown; the other two states only if devices have them. */
const ALWAYS: readonly FleetState[] = ["fresh", "late", "offline"];
const ORDER: readonly FleetState[] = ["fresh", "late", "lost", "offline", "unknown", "never"];

const TILE = {
  '&[data-state="none"] [data-testid="state-count"]': { color: "fg.subtle" },
  '&[data-state="offline"]': {
    borderColor: "alarm.p2.fg",
    bg: "alarm.p2.tint",
    "& > :first-child, & .state-mark": { color: "alarm.p2.fg" },
  },
};

const same = (a: ReturnType<typeof tallyOf>, b: ReturnType<typeof tallyOf>): boolean =>
  FLEET_STATES.every((state) => a[state] === b[state]);

/**
 * Show the numbers of online, late and offline devices over all accounts, no better than the links allow
 * (ONL-2).
 */
export function StateTiles() {
  const { t } = useTranslation(["morning", "fleet"]);
  // The best quality that the links allow for a device.
  const link = useShownQuality("fresh") ?? "unknown";
  const tallyIn = useCallback((store: FleetStore) => tallyOf(store.all("device"), link), [link]);
  const tally = useFleetSelection(DEVICES, tallyIn, same);
  const loading = useLoadingWords();
  return (
    <Grid
      as="ul"
      templateColumns={{ base: "repeat(6, minmax(0, 1fr))", md: "repeat(auto-fit, minmax(7rem, 1fr))" }}
      gap={{ base: "2", md: "3" }}
      css={{
        // Three in a row on a phone; what is over three shares rows of two.
        mdDown: {
          "& > li": { gridColumn: "span 2" },
          "& > :nth-child(n + 4)": { gridColumn: "span 3" },
          "&:has(> :nth-child(4):last-child) > li": { gridColumn: "span 3" },
        },
        // A part of the whole does not look like the whole.
        '&[data-loading] [data-testid="state-count"]': { color: "fg.muted", fontStyle: "italic" },
      }}
      aria-label={loading === null ? t("tally") : `${t("tally")}. ${loading}`}
      data-loading={loading === null ? undefined : true}
    >
      {ORDER.filter((state) => ALWAYS.includes(state) || tally[state] > 0).map((state) => (
        <li key={state}>
          <Grid
            asChild
            gap="1"
            px="4"
            py="3"
            borderWidth="1px"
            rounded="card"
            bg="bg.panel"
            _hover={{ borderColor: "fg.subtle" }}
            css={TILE}
          >
            <Link
              data-state={tally[state] > 0 ? state : "none"}
              // The board cannot filter by states that come from the links alone.
              to={link === "fresh" ? `/adminpage/status?state=${state}` : "/adminpage/status"}
            >
              <Flex as="span" align="center" gap="1.5" color="fg.muted" fontSize="label" fontWeight="medium">
                <StateMark state={state} bare />
                {t(`fleet:state.${state}`)}
              </Flex>
              <Text as="span" textStyle="reading" lineHeight="1.1" data-testid="state-count">
                {tally[state]}
              </Text>
            </Link>
          </Grid>
        </li>
      ))}
    </Grid>
  );
}
