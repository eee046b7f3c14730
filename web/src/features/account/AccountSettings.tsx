import { Button, Grid, Stack, Text } from "@chakra-ui/react";
import type { WatchState } from "@mulkko/shared/rest/watch";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { LogOutIcon } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import { fetchWatch, SESSIONS, startWatching, stopWatching, WATCH } from "../../api/account.ts";
import { useWriteFailureTexts } from "../../api/error-texts.ts";
import { callFailure } from "../../api/errors.ts";
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

interface ReportedCardProps<T> {
  title: string;
  /** Setting as the relay reports it. */
  query: ReturnType<typeof useRestQuery<T>>;
  /** Height reserved for the content. */
  height: string;
  /** Text without an answer. */
  unknown: string;
  children: (reported: T) => ReactNode;
}

/** Show a setting that the relay reports. Make no claim before the relay has answered. */
function ReportedCard<T>({ title, query, height, unknown, children }: ReportedCardProps<T>) {
  const { t } = useTranslation("common");
  const { data, error, refetch, isFetching } = query;
  return (
    <Card title={title}>
      {data !== null ? (
        children(data)
      ) : error === null || isFetching ? (
        <Skeleton height={height} />
      ) : (
        <Stack gap="3" align="start">
          <p>{unknown}</p>
          <Button variant="outline" onClick={() => void refetch()}>
            {t("action.retry")}
          </Button>
        </Stack>
      )}
    </Card>
  );
}

/**
 * Switch for RUN-3: the relay closes openings made at the controller at the hard cap. Shows the relay's
 * setting.
 */
export function AdoptCard() {
  const { t } = useTranslation("account");
  const { client } = useRest();
  const queries = useQueryClient();
  const failureTexts = useWriteFailureTexts();
  const query = useRestQuery(ADOPTION, fetchSettings);
  const { mutate, isPending } = useMutation({
    mutationFn: (adopt: boolean) => adoptExternal(client, adopt),
    onSuccess: (saved) => queries.setQueryData(ADOPTION, saved),
    onError(error) {
      toaster.create({ type: "error", title: failureTexts(t("adopt.failed"), callFailure(error)) });
      // Without an answer it may have been changed.
      void queries.invalidateQueries({ queryKey: ADOPTION });
    },
  });
  return (
    <ReportedCard title={t("adopt.title")} query={query} height="4.5rem" unknown={t("adopt.unknown")}>
      {(settings) => (
        <CheckField
          look="switch"
          label={t("adopt.label")}
          hint={t("adopt.hint")}
          checked={settings.adoptExternal}
          disabled={isPending}
          onChange={(adopt) => mutate(adopt)}
        />
      )}
    </ReportedCard>
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

/** Show that the relay watches the farm while the user is signed out, and let the user stop it (CRED-1). */
export function WatchCard() {
  const { t } = useTranslation("account");
  const query = useRestQuery(WATCH, fetchWatch);
  return (
    <ReportedCard title={t("watch.title")} query={query} height="5.25rem" unknown={t("watch.unknown")}>
      {(watch) => <Watch watch={watch} />}
    </ReportedCard>
  );
}

function Watch({ watch }: { watch: WatchState }) {
  const { t } = useTranslation("account");
  const { client } = useRest();
  const queries = useQueryClient();
  const failureTexts = useWriteFailureTexts();
  const [confirming, setConfirming] = useState(false);
  const { mutate, isPending } = useMutation({
    mutationFn: (to: typeof stopWatching) => to(client),
    onSuccess: (state) => queries.setQueryData(WATCH, state),
    onError(error) {
      toaster.create({ type: "error", title: failureTexts(t("watch.failed"), callFailure(error)) });
      // Without an answer it may have been changed.
      void queries.invalidateQueries({ queryKey: WATCH });
    },
  });
  const isWatched = watch.by !== "nobody";
  return (
    <>
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
          <Button variant="outline" loading={isPending} onClick={() => setConfirming(true)}>
            {t("watch.stop")}
          </Button>
        )}
        {watch.mayStart && (
          <Button loading={isPending} onClick={() => mutate(startWatching)}>
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
          mutate(stopWatching);
        }}
        onClose={() => setConfirming(false)}
      />
    </>
  );
}
