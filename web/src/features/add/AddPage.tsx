import { Box, chakra, Grid, Stack, Text } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { PageHeading } from "../../components/page-heading.tsx";
import { FirstSteps } from "../../domain/farm/FirstSteps.tsx";

const LAND = { fill: "color-mix(in srgb, var(--mk-colors-series-olive) 26%, transparent)" };

const PLUS = "M80 10v14M73 17h14";
const MINUS = "M73 17h14";

/** Line drawing of 96 by 64 units: ink, land in green, water in blue. */
function Drawing({ sign = PLUS, children }: { sign?: string; children: ReactNode }) {
  return (
    <svg viewBox="0 0 96 64" fill="none" stroke="currentColor" strokeWidth="2" aria-hidden>
      <path style={LAND} d="M0 52c14-5 28-6 44-3s34 3 52-2v17H0Z" stroke="none" />
      {children}
      <path d={sign} strokeLinecap="round" />
    </svg>
  );
}

const AddFarm = () => (
  <Drawing>
    <path d="M22 50V32l14-11 14 11v18M31 50V40h10v10" strokeLinejoin="round" />
    <path
      d="M58 50c2-9 6-13 6-13s4 4 6 13M64 37v13M74 49c1-6 4-9 4-9s3 3 4 9M78 40v9"
      strokeLinecap="round"
    />
  </Drawing>
);

const AddSensor = () => (
  <Drawing>
    <path d="M42 50V30h12v20M45 50v9M51 50v9" strokeLinecap="round" strokeLinejoin="round" />
    <path d="M40 22a11 11 0 0 1 16 0M35 17a18 18 0 0 1 26 0" strokeLinecap="round" />
    <path d="M46 37h4" strokeLinecap="round" />
  </Drawing>
);

const AddValves = () => (
  <Drawing>
    <path
      style={{ stroke: "var(--mk-colors-flow)" }}
      d="M12 40h20M64 40h22"
      strokeWidth="4"
      strokeLinecap="round"
    />
    <path d="M34 30l28 20V30L34 50Z" strokeLinejoin="round" />
    <path d="M48 40V26M40 26h16" strokeLinecap="round" />
  </Drawing>
);

const RemoveFarm = () => (
  <Drawing sign={MINUS}>
    <path d="M30 50V32l14-11 14 11v18M39 50V40h10v10" strokeLinejoin="round" strokeDasharray="4 4" />
  </Drawing>
);

/** Menu of things to add, and the deletion of a farm. */
export function AddPage() {
  const { t } = useTranslation("add");
  const tiles: readonly (readonly [string, "farm" | "sensor" | "controller" | "removeFarm", ReactNode])[] = [
    ["/farmadd", "farm", <AddFarm key="farm" />],
    ["/listadd", "sensor", <AddSensor key="sensor" />],
    ["/cotadd", "controller", <AddValves key="controller" />],
    ["/farmdelete", "removeFarm", <RemoveFarm key="remove" />],
  ];
  return (
    <Stack gap="4" maxW="64rem">
      <PageHeading title={t("title")} />
      <FirstSteps />
      <Grid
        as="ul"
        // With large letters a tile has the whole width (UI-7).
        templateColumns={{
          base: "repeat(auto-fill, minmax(min(100%, 9rem), 1fr))",
          md: "repeat(auto-fill, minmax(min(100%, 14rem), 1fr))",
        }}
        gap={{ base: "3", md: "4" }}
      >
        {tiles.map(([to, name, drawing]) => (
          <li key={to}>
            <Box
              asChild
              display="grid"
              alignContent="start"
              gap="1"
              h="full"
              p="4"
              layerStyle="panel"
              _hover={{ borderColor: "fg" }}
            >
              <Link to={to}>
                <chakra.span
                  display="block"
                  mb="2"
                  overflow="hidden"
                  rounded="sm"
                  bg="bg.sunk"
                  css={{ "& svg": { display: "block", w: "full", h: "auto" } }}
                >
                  {drawing}
                </chakra.span>
                <strong>{t(`tile.${name}`)}</strong>
                <Text as="span" color="fg.muted" fontSize="label">
                  {t(`note.${name}`)}
                </Text>
              </Link>
            </Box>
          </li>
        ))}
      </Grid>
    </Stack>
  );
}
