import { Button, Grid, Text } from "@chakra-ui/react";
import { UserIcon } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { usePerson } from "../../api/hooks.ts";
import { LazyPopover } from "../../components/lazy-panels.tsx";
import { Photo } from "../../components/photo.tsx";

const loadChoices = () => import("./ProfileChoices.tsx").then(({ ProfileChoices }) => ProfileChoices);

/** Profile menu: the signed-in user, browser settings and logout. */
export function ProfileMenu() {
  const { t } = useTranslation("shell");
  const account = usePerson();
  const [open, setOpen] = useState(false);
  const name = account.nickname || account.username;
  return (
    <LazyPopover
      open={open}
      onOpenChange={setOpen}
      label={t("nav.account")}
      width="min(22rem, calc(100vw - 1.5rem))"
      load={loadChoices}
      button={(props) => (
        <Button
          {...props}
          variant="plain"
          px="1"
          borderWidth="0"
          textStyle="body"
          fontWeight="medium"
          aria-label={`${t("nav.account")}: ${name}`}
        >
          <Grid
            as="span"
            placeItems="center"
            boxSize="9"
            overflow="hidden"
            borderWidth="1px"
            borderColor="border.strong"
            rounded="full"
            css={{
              "& img": { boxSize: "full", objectFit: "cover" },
              "@media (max-width: 22rem)": { boxSize: "10" },
            }}
          >
            <Photo path={account.imagePath} icon={<UserIcon />} />
          </Grid>
          <Text as="span" truncate maxW="40" display={{ mdDown: "none" }}>
            {name}
          </Text>
        </Button>
      )}
    />
  );
}
