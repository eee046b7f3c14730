import { Box, Grid } from "@chakra-ui/react";
import { RadioIcon, UserIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useExtension } from "../../api/extensions.ts";
import { ErrorNote } from "../../components/alerts.tsx";
import { PageHeading } from "../../components/page-heading.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { TextLink } from "../../components/text-link.tsx";
import type { FleetStore } from "../../domain/fleet/fleet-store.ts";
import { useAskingWords, useLoadingWords } from "../../domain/fleet/fleet-words.ts";
import { useFleet, useFleetSelection, useFleetStatus } from "../../domain/fleet/hooks.ts";
import { fleetTellsOwners } from "../../domain/fleet/morning.ts";
import { useLabels } from "../../i18n/labels.ts";
import { ContactsCard, KnocksCard, OddFieldsCard } from "./api-cards.tsx";
import { AccountsCard, CommandsCard, FlipsCard, SilentCard, TasksCard } from "./fleet-cards.tsx";
import { StateTiles } from "./StateTiles.tsx";
import { BackupLine, StorageNote } from "./server-notes.tsx";

const SIZES = ["device", "account"] as const;
const sizesIn = (store: FleetStore) => `${store.all("device").size} ${store.all("account").size}`;

/** `/adminpage`: overview of all accounts for an administrator, live. */
export function MorningPage() {
  const { t } = useTranslation(["morning", "fleet"]);
  const labels = useLabels();
  useFleet();
  const status = useFleetStatus();
  const [devices = 0, accounts = 0] = useFleetSelection(SIZES, sizesIn).split(" ").map(Number);
  const loading = useLoadingWords();
  const asking = useAskingWords();
  const tellsOwners = useFleetSelection(SIZES, fleetTellsOwners);
  const counted = t("devices", { count: devices });
  const counts = tellsOwners ? t("note", { count: accounts, devices: counted }) : counted;
  const writesContacts = useExtension("audit");
  const listsKnocks = useExtension("dead-letters");
  return (
    <Box css={{ '& > [role="alert"]': { mb: "4" } }}>
      <PageHeading
        broad
        title={t("title")}
        note={loading ?? (devices > 0 ? [counts, asking].filter(Boolean).join(" · ") : undefined)}
        actions={
          <>
            <TextLink look={{ textStyle: "label" }} to="/adminpage/users">
              <UserIcon />
              {t("users")}
            </TextLink>
            <TextLink look={{ textStyle: "label" }} to="/adminpage/sensors">
              <RadioIcon />
              {t("sensors")}
            </TextLink>
          </>
        }
      />
      <StorageNote />
      <BackupLine />
      {status.state === "refused" && (
        <ErrorNote>
          {t("fleet:refused")}. {labels.error(status.code)}
        </ErrorNote>
      )}
      {devices === 0 && status.state !== "here" ? (
        status.state === "coming" && <Skeleton height="24rem" />
      ) : (
        <Grid alignContent="start" gap="4" minW="0">
          <StateTiles />
          <Grid
            templateColumns={{
              base: "minmax(0, 1fr)",
              lg: "repeat(2, minmax(0, 1fr))",
              xl: "repeat(3, minmax(0, 1fr))",
            }}
            gap="4"
          >
            <Grid alignContent="start" gap="4" minW="0">
              <SilentCard />
              <FlipsCard />
            </Grid>
            <Grid alignContent="start" gap="4" minW="0">
              <TasksCard />
              <CommandsCard />
            </Grid>
            <Grid alignContent="start" gap="4" minW="0">
              <AccountsCard />
              {writesContacts && <ContactsCard />}
              {listsKnocks && <KnocksCard />}
              <OddFieldsCard />
            </Grid>
          </Grid>
        </Grid>
      )}
    </Box>
  );
}
