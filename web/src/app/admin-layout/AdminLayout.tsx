import { chakra, Stack } from "@chakra-ui/react";
import type { ParseKeys } from "i18next";
import { ChartLineIcon, ClockIcon, MailIcon, MonitorIcon, RadioIcon, SunIcon, UserIcon } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link, Outlet, useLocation } from "react-router-dom";
import { useExtension } from "../../api/extensions.ts";

/** An entry of the administrators' navigation. */
interface AdminPlace {
  readonly to: string;
  readonly label: ParseKeys<"admin">;
  readonly icon: ReactNode;
  /** Addresses whose pages belong to this entry too. */
  readonly also?: readonly string[];
  /** Requires a farm API that stores actions and messages (extension `audit`). */
  readonly needsAudit?: boolean;
}

/** Entries in the order of a morning's work. */
const ADMIN_PLACES: readonly AdminPlace[] = [
  { to: "/adminpage", label: "place.morning", icon: <SunIcon /> },
  { to: "/adminpage/status", label: "place.status", icon: <ChartLineIcon /> },
  {
    to: "/adminpage/users",
    label: "place.users",
    icon: <UserIcon />,
    also: ["/adminpage/user", "/adminpage/user/add"],
  },
  {
    to: "/adminpage/sensors",
    label: "place.sensors",
    icon: <RadioIcon />,
    also: ["/adminpage/sensor", "/adminpage/sensor/add"],
  },
  { to: "/displays", label: "place.displays", icon: <MonitorIcon /> },
  { to: "/adminpage/audit", label: "place.audit", icon: <ClockIcon />, needsAudit: true },
  { to: "/adminpage/contacts", label: "place.contacts", icon: <MailIcon />, needsAudit: true },
];

/** Layout of the administrators' pages: navigation and the open page. */
export function AdminLayout({ children = <Outlet /> }: { children?: ReactNode }) {
  const { t } = useTranslation("admin");
  const { pathname } = useLocation();
  const audit = useExtension("audit");
  const list = useRef<HTMLUListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address is another place
  useEffect(() => {
    // A phone shows three items: the open one is in the middle.
    const place = list.current?.querySelector<HTMLElement>("[aria-current]")?.parentElement;
    if (list.current && place) {
      list.current.scrollLeft = place.offsetLeft - (list.current.clientWidth - place.offsetWidth) / 2;
    }
  }, [pathname, audit]);
  return (
    <Stack gap="5" minW="0" css={{ "& > *": { minW: "0" } }}>
      <chakra.nav
        borderBottomWidth="1px"
        mx={{ mdDown: "calc(-1 * var(--mk-spacing-page))" }}
        css={{
          "& ul": { position: "relative", display: "flex", overflowX: "auto", scrollbarWidth: "none" },
          "& a": {
            display: "flex",
            alignItems: "center",
            gap: "2",
            minH: "12",
            px: "3.5",
            borderBottomWidth: "3px",
            borderBottomColor: "transparent",
            color: "fg.muted",
            fontWeight: "medium",
            whiteSpace: "nowrap",
          },
          "& a:hover": { color: "fg" },
          "& a:focus-visible": { outlineOffset: "-3px" },
          '& a[aria-current="page"]': { borderBottomColor: "fg", color: "fg", fontWeight: "650" },
        }}
        aria-label={t("title")}
      >
        <ul ref={list}>
          {ADMIN_PLACES.filter(({ needsAudit = false }) => audit || !needsAudit).map(
            ({ to, label, icon, also = [] }) => (
              <li key={to}>
                <Link
                  to={to}
                  {...([to, ...also].includes(pathname) ? { "aria-current": "page" as const } : {})}
                >
                  {icon}
                  {t(label)}
                </Link>
              </li>
            ),
          )}
        </ul>
      </chakra.nav>
      {children}
    </Stack>
  );
}
