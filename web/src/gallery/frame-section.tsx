import { useTranslation } from "../i18n/use-translation.ts";
import { LinkBanner } from "../ui/feedback/link-banner.tsx";
import { LinkStrip } from "../ui/feedback/link-strip.tsx";
import {
  AccountIcon,
  BellIcon,
  HomeIcon,
  MapIcon,
  MoreIcon,
  SensorIcon,
  ValveIcon,
} from "../ui/icon/icons.tsx";
import { AppFrame } from "../ui/layout/app-frame.tsx";
import { IconButton } from "../ui/layout/icon-button.tsx";
import { Logo } from "../ui/layout/logo.tsx";
import { BottomNav, DesktopNav } from "../ui/layout/navigation.tsx";
import { PageHeading } from "../ui/layout/page-heading.tsx";
import { useSurface } from "../ui/theme/use-surface.ts";
import { ReadingSection } from "./reading-section.tsx";

/** Show the frame of every page behind the login. */
export function FrameSection() {
  const { t } = useTranslation(["shell", "common"]);
  const phone = useSurface() === "phone";
  const strip = (
    <LinkStrip
      links={{
        relay: { state: "up", ageMs: 3_000 },
        upstream: { state: "up", ageMs: 4_000 },
        device: { state: "up", ageMs: 12_000 },
      }}
    />
  );
  const items = [
    { to: "/dashboard", label: t("nav.home"), icon: <HomeIcon /> },
    { to: "/irrigation", label: t("nav.irrigation"), icon: <ValveIcon /> },
    { to: "/sensors", label: t("nav.sensors"), icon: <SensorIcon /> },
    { to: "/maps", label: t("nav.map"), icon: <MapIcon /> },
    { to: "/more", label: t("nav.more"), icon: <MoreIcon /> },
  ];
  return (
    <AppFrame
      skipLabel={t("skip")}
      header={
        <>
          <Logo />
          <div style={{ flex: 1, minWidth: 0 }}>
            <strong style={{ fontSize: "var(--mk-font-sizes-title)" }}>해오름 농장</strong>
            {phone && strip}
          </div>
          {!phone && strip}
          <IconButton label={t("bell.title")} count={3}>
            <BellIcon />
          </IconButton>
          <IconButton label={t("nav.account")}>
            <AccountIcon />
          </IconButton>
        </>
      }
      notices={
        <LinkBanner title={t("common:link.notLive")} detail={t("common:link.asOf", { time: "14:05" })} />
      }
      menu={<DesktopNav label={t("nav.main")} items={items} />}
      bottom={<BottomNav label={t("nav.main")} items={items} />}
    >
      <PageHeading title={t("nav.sensors")} note="12" />
      <div style={{ display: "grid", gap: 16 }}>
        <ReadingSection />
      </div>
    </AppFrame>
  );
}
