import { Box, Button, Flex } from "@chakra-ui/react";
import { EllipsisIcon, MailIcon, PlusIcon } from "lucide-react";
import { Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, Outlet } from "react-router-dom";
import { usePerson, useReadOnly } from "../../api/hooks.ts";
import { AppFrame } from "../../components/app-frame.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { lazyPart } from "../../components/lazy/retried.ts";
import { LazySheet, useEarlyPanels } from "../../components/lazy-panels.tsx";
import { Logo } from "../../components/logo.tsx";
import { BottomNav, DesktopNav } from "../../components/navigation.tsx";
import { Preloader } from "../../components/progress.tsx";
import { useHasStoredCommands } from "../../domain/valve/stored-commands.ts";
import { useIsStale, useLink } from "../../live/hooks.ts";
import { useSurface } from "../../theme/use-surface.ts";
import { registerWorkerLater } from "../offline/register-worker.ts";
import { useStaleBuild } from "../use-stale-build.ts";
import { AlarmStrip } from "./AlarmStrip.tsx";
import { Bell } from "./Bell.tsx";
import { EventToasts } from "./EventToasts.tsx";
import { isInstallHintShown, wantsInstallHint } from "./install-hint.ts";
import { LiveLinkStrip } from "./LiveLinkStrip.tsx";
import { Notices, UpdateNotice } from "./Notices.tsx";
import { ProfileMenu } from "./ProfileMenu.tsx";
import { OpenShellPanel, type ShellPanelName } from "./shell-panel.ts";
import { useNavItems } from "./use-nav-items.tsx";

// Only some browsers need the home screen hint.
const InstallHint = lazyPart(() => import("./InstallHint.tsx").then((m) => m.InstallHint));
// Only administrators load the alarms of all accounts.
const AdminAlarmStrip = lazyPart(() => import("./AdminAlarmStrip.tsx").then((m) => m.AdminAlarmStrip));

// Most pages are opened without a stored command.
const loadOutbox = () => import("./OutboxStrip.tsx").then((m) => m.OutboxStrip);
const OutboxStrip = lazyPart(loadOutbox);

const loadMenu = () => import("./SideMenu.tsx").then((m) => m.SideMenu);
const loadContact = () => import("../contact/ContactForm.tsx").then((m) => m.ContactForm);

/**
 * Old values must not look live, from any distance; an empty page has no values. A command that waits for the line is
 * new, and its text has to keep its contrast.
 */
const PAGE = {
  mx: "auto",
  transition: "opacity 240ms",
  css: {
    "&[data-live=false]:not(:has(> .chakra-empty-state__root))": { opacity: "0.55" },
    "&[data-live=false]:has([data-remembered])": { opacity: "0.85" },
  },
} as const;

/** Frame around every page behind the login, and its panels, one at a time; none is part of the first load. */
export function Shell() {
  const { t } = useTranslation(["shell", "common"]);
  const starting = useLink((link) => link.screen.state === "starting");
  const stale = useIsStale();
  const phone = useSurface() === "phone";
  const readOnly = useReadOnly();
  const isAdmin = usePerson().userType === "ADMIN";
  const [otherInStrip, setOtherInStrip] = useState(false);
  const waiting = useStaleBuild();
  const hasCommands = useHasStoredCommands();
  const [hinted, setHinted] = useState(() => wantsInstallHint(navigator, isInstallHintShown()));
  useEffect(() => (starting ? undefined : registerWorkerLater()), [starting]);
  const items = useNavItems();
  useEarlyPanels(loadOutbox);
  const [panel, openPanel] = useState<ShellPanelName | null>(null);
  const closePanel = () => openPanel(null);
  const more = {
    label: t("nav.more"),
    icon: <EllipsisIcon />,
    open: panel === "menu",
    onPress: () => openPanel("menu"),
  };
  return (
    <OpenShellPanel value={openPanel}>
      <AppFrame
        skipLabel={t("skip")}
        header={
          <>
            <Box
              asChild
              display="inline-flex"
              alignItems="center"
              gap="2.5"
              color="fg"
              fontSize="title"
              fontWeight="bold"
              letterSpacing="-0.01em"
              css={{ mdDown: { "& span": { display: "none" } } }}
            >
              <Link to="/" aria-label={t("common:app.name")}>
                <Logo size={36} />
                <span>{t("common:app.name")}</span>
              </Link>
            </Box>
            <Flex flex="1" justify={{ base: "flex-start", md: "center" }} minW="0">
              <LiveLinkStrip />
            </Flex>
            {!phone && !readOnly && (
              <Button asChild variant="outline" size="sm">
                <Link to="/addpage">
                  <PlusIcon />
                  {t("nav.add")}
                </Link>
              </Button>
            )}
            {!phone && !readOnly && (
              <IconButton
                label={t("contact")}
                aria-haspopup="dialog"
                aria-expanded={panel === "contact"}
                onClick={() => openPanel("contact")}
              >
                <MailIcon size={22} />
              </IconButton>
            )}
            <Bell />
            <ProfileMenu />
          </>
        }
        notices={
          <>
            <Notices />
            {!readOnly && hasCommands && (
              <Suspense>
                <OutboxStrip />
              </Suspense>
            )}
            <Suspense fallback={<AlarmStrip />}>
              {isAdmin ? <AdminAlarmStrip onOther={setOtherInStrip} /> : <AlarmStrip />}
            </Suspense>
            {waiting && <UpdateNotice commanding={waiting.commanding} onLoad={waiting.load} />}
            {hinted && !starting && (
              <Suspense>
                <InstallHint onClose={() => setHinted(false)} />
              </Suspense>
            )}
          </>
        }
        menu={<DesktopNav label={t("nav.main")} items={items.desktop} />}
        bottom={<BottomNav label={t("nav.main")} items={items.bottom} more={more} />}
      >
        <EventToasts otherInStrip={otherInStrip} />
        <Preloader ready={!starting} label={t("preloader")} />
        <Box {...PAGE} data-testid="page" data-live={!stale}>
          <Outlet />
        </Box>
      </AppFrame>
      {panel === "menu" && (
        <LazySheet title={t("nav.more")} place="end" onClose={closePanel} load={loadMenu} />
      )}
      {panel === "contact" && (
        <LazySheet title={t("contact")} place="top" onClose={closePanel} load={loadContact} />
      )}
    </OpenShellPanel>
  );
}
