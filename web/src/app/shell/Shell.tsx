import { useTranslation } from "react-i18next";
import { Link, Outlet, useLocation } from "react-router-dom";
import { useIsStale, useLink } from "../../live/hooks.ts";
import { Preloader } from "../../ui/feedback/preloader.tsx";
import { AccountIcon, HomeIcon, SensorIcon, ValveIcon } from "../../ui/icon/icons.tsx";
import { AppFrame } from "../../ui/layout/app-frame.tsx";
import { Logo } from "../../ui/layout/logo.tsx";
import { BottomNav, SideNav } from "../../ui/layout/navigation.tsx";
import { useStaleBuild } from "../use-stale-build.ts";
import { Bell } from "./Bell.tsx";
import { EventToasts } from "./EventToasts.tsx";
import { LiveLinkStrip } from "./LiveLinkStrip.tsx";
import { Notices } from "./Notices.tsx";
import { ProfileMenu } from "./ProfileMenu.tsx";
import "./shell.css";

/** What stands around every page behind the login. */
export function Shell() {
  const { t } = useTranslation(["shell", "common"]);
  const starting = useLink((link) => link.screen.state === "starting");
  const stale = useIsStale();
  useStaleBuild();
  // Controllers have their addresses among the sensors, but are looked for where the water is.
  const { pathname } = useLocation();
  const atValves = pathname.startsWith("/sensors/cot");
  const items = [
    { to: "/dashboard", label: t("nav.home"), icon: <HomeIcon /> },
    {
      to: "/irrigation",
      label: t("nav.irrigation"),
      icon: <ValveIcon />,
      current: atValves || pathname.startsWith("/irrigation"),
    },
    {
      to: "/sensors",
      label: t("nav.sensors"),
      icon: <SensorIcon />,
      current: !atValves && pathname.startsWith("/sensors"),
    },
    { to: "/account", label: t("nav.account"), icon: <AccountIcon /> },
  ];
  return (
    <AppFrame
      skipLabel={t("skip")}
      header={
        <>
          <Link className="shell__brand" to="/dashboard" aria-label={t("common:app.name")}>
            <Logo size={36} />
            <span>{t("common:app.name")}</span>
          </Link>
          <div className="shell__links">
            <LiveLinkStrip />
          </div>
          <Bell />
          <ProfileMenu />
        </>
      }
      notices={<Notices />}
      side={<SideNav label={t("nav.main")} items={items} />}
      bottom={<BottomNav label={t("nav.main")} items={items} />}
    >
      <EventToasts />
      <Preloader ready={!starting} label={t("preloader")} />
      <div className="shell__page" data-live={!stale}>
        <Outlet />
      </div>
    </AppFrame>
  );
}
