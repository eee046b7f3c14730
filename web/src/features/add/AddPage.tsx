import { Box, chakra, Grid, Stack, Text } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { PageHeading } from "../../components/page-heading.tsx";
import { AddFarm, AddSensor, AddValves, RemoveFarm } from "./add-drawings.tsx";
import "./add.css";

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
      <Grid
        as="ul"
        templateColumns={{ base: "1fr 1fr", md: "repeat(auto-fill, minmax(min(100%, 14rem), 1fr))" }}
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
              borderWidth="1px"
              rounded="card"
              bg="bg.panel"
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
