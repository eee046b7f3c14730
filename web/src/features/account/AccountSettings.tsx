import { Button, Grid, Stack, Text } from "@chakra-ui/react";
import type { WatchState } from "@mulkko/shared/rest/watch";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { LogOutIcon } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import { fetchWatch, SESSIONS, startWatching, stopWatching, WATCH } from "../../api/account.ts";
import { useExtension, useExtensionAnswer } from "../../api/extensions.ts";
import { useAccount, useRest } from "../../api/hooks.ts";
import { useReload, useRestQuery } from "../../api/queries.tsx";
import { adoptExternal, fetchSettings } from "../../api/settings.ts";
import { Card } from "../../components/card.tsx";
import { CheckField } from "../../components/choice.tsx";
import { ColorModeSwitch } from "../../components/color-mode-switch.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { LanguageSwitch } from "../../components/language-switch.tsx";
import { LayoutCard } from "../../components/layout-card.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { toaster } from "../../components/toaster.tsx";
import { PasswordDialog } from "../../domain/account/PasswordDialog.tsx";

/** Key of the setting as this page has read it: the settings of other pages may be older. */
const ADOPTION = ["adoption"];

/**
 * Switch for RUN-3: the relay closes openings made at the controller at the hard cap. Shows the relay's
 * setting.
 */
export function AdoptCard() {
  const { t } = useTranslation(["account", "common"]);
  const { client } = useRest();
  const queries = useQueryClient();
  const { data: settings, error, refetch, isFetching } = useRestQuery(ADOPTION, fetchSettings);
  const { mutate, isPending } = useMutation({
    mutationFn: (adopt: boolean) => adoptExternal(client, adopt),
    onSuccess: (saved) => queries.setQueryData(ADOPTION, saved),
    onError: () => toaster.create({ type: "error", title: t("adopt.failed") }),
  });
  if (settings === null) {
    return (
      <Card title={t("adopt.title")}>
        {/* Make no claim before the relay has answered. */}
        {error === null || isFetching ? (
          <Skeleton height="4.5rem" />
        ) : (
          <Stack gap="3" align="start">
            <p>{t("adopt.unknown")}</p>
            <Button variant="outline" onClick={() => void refetch()}>
              {t("common:action.retry")}
            </Button>
          </Stack>
        )}
      </Card>
    );
  }
  return (
    <Card title={t("adopt.title")}>
      <CheckField
        look="switch"
        label={t("adopt.label")}
        hint={t("adopt.hint")}
        checked={settings.adoptExternal}
        disabled={isPending}
        onChange={(adopt) => mutate(adopt)}
      />
    </Card>
  );
}

/** Settings besides the profile: care of the farm, displays, and this browser. */
export function AccountSettings() {
  const { t } = useTranslation(["account", "common", "shell"]);
  const navigate = useNavigate();
  return (
    <Grid alignContent="start" gap="4" minW="0">
      <PasswordCard />
      <WatchCard />
      <AdoptCard />
      <Card title={t("displays.title")}>
        <Grid gap="6" justifyItems="start">
          <p>{t("displays.text")}</p>
          <TextLink to="/displays">{t("displays.open")}</TextLink>
        </Grid>
      </Card>
      <Card title={t("screen")}>
        <Stack gap="2" align="start" css={{ "& > span": { color: "fg.muted", fontSize: "label" } }}>
          <span>{t("common:language.title")}</span>
          <LanguageSwitch />
          <span>{t("common:colorMode.title")}</span>
          <ColorModeSwitch />
        </Stack>
      </Card>
      <LayoutCard />
      <Button variant="outline" size="lg" onClick={() => void navigate("/logout")}>
        <LogOutIcon />
        {t("shell:logout")}
      </Button>
    </Grid>
  );
}

/**
 * Change the own password, depending on the API: with the current one, as an administrator, or by a mailed
 * link.
 */
export function PasswordCard() {
  const { t } = useTranslation("account");
  const account = useAccount();
  const reload = useReload();
  const [open, setOpen] = useState(false);
  const own = useExtension("own-password");
  const byMail = useExtensionAnswer("password-mail");
  const isAdmin = account.userType === "ADMIN";
  return (
    <Card title={t("password.title")}>
      <Grid gap="6" justifyItems="start">
        {own || isAdmin ? (
          <Button variant="outline" onClick={() => setOpen(true)}>
            {t("password.open")}
          </Button>
        ) : byMail === false ? (
          <p>{t("password.byAdministrator")}</p>
        ) : (
          <>
            <p>{t("password.byMail")}</p>
            <TextLink to="/pages-recoverpw">{t("password.askMail")}</TextLink>
          </>
        )}
      </Grid>
      {open && (
        <PasswordDialog
          account={account}
          own={own}
          note={t("password.others")}
          onChanged={() => reload(SESSIONS)}
          onClose={() => setOpen(false)}
        />
      )}
    </Card>
  );
}

/** Return the text key of what makes the relay watch again. */
function nextStep({ mayStart, ended }: WatchState): "mayStart" | "tryAgain" | "signInAgain" {
  if (mayStart) return "mayStart";
  // A farm API with one session per account ends the relay's own at each sign-in.
  return ended === "refused" ? "tryAgain" : "signInAgain";
}

/**
 * Show that the relay watches the farm while the user is signed out, and let the user stop it (CRED-1). Make
 * no claim before the relay has answered.
 */
export function WatchCard() {
  const { t } = useTranslation(["account", "common"]);
  const { client } = useRest();
  const queries = useQueryClient();
  const { data: watch, error, refetch, isFetching } = useRestQuery(WATCH, fetchWatch);
  const [confirming, setConfirming] = useState(false);
  const change = useMutation({
    mutationFn: (to: typeof stopWatching) => to(client),
    onSuccess: (state) => queries.setQueryData(WATCH, state),
    onError: () => toaster.create({ type: "error", title: t("watch.failed") }),
  });
  const busy = change.isPending;

  if (watch === null) {
    return (
      <Card title={t("watch.title")}>
        {error === null || isFetching ? (
          <Skeleton height="5.25rem" />
        ) : (
          <Stack gap="3" align="start">
            <p>{t("watch.unknown")}</p>
            <Button variant="outline" onClick={() => void refetch()}>
              {t("common:action.retry")}
            </Button>
          </Stack>
        )}
      </Card>
    );
  }
  const isWatched = watch.by !== "nobody";
  return (
    <Card title={t("watch.title")}>
      <Stack gap="3" align="start">
        <Text
          fontWeight="semibold"
          css={{
            '&[data-watched="false"]': {
              ps: "3",
              borderStartWidth: "3px",
              borderStartStyle: "dashed",
              borderStartColor: "border.strong",
            },
          }}
          data-watched={isWatched}
        >
          {t(isWatched ? "watch.on" : "watch.off")}
        </Text>
        {!isWatched && watch.ended && <p>{t(`watch.ended.${watch.ended}`)}</p>}
        {!isWatched && <p>{t(`watch.${nextStep(watch)}`)}</p>}
        {isWatched && (
          <Button variant="outline" loading={busy} onClick={() => setConfirming(true)}>
            {t("watch.stop")}
          </Button>
        )}
        {watch.mayStart && (
          <Button loading={busy} onClick={() => change.mutate(startWatching)}>
            {t("watch.start")}
          </Button>
        )}
      </Stack>
      <ConfirmDialog
        open={confirming}
        title={t("watch.confirm.title")}
        body={
          <>
            <p>{t("watch.confirm.body")}</p>
            <p>{t(watch.by === "sign-in" ? "watch.confirm.untilSignIn" : "watch.confirm.untilStart")}</p>
          </>
        }
        confirmLabel={t("watch.confirm.stop")}
        danger
        onConfirm={() => {
          setConfirming(false);
          change.mutate(stopWatching);
        }}
        onClose={() => setConfirming(false)}
      />
    </Card>
  );
}
