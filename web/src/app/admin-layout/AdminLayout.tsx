import { chakra, Stack } from "@chakra-ui/react";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link, Outlet, useLocation } from "react-router-dom";
import { useExtension } from "../../api/extensions.ts";
import { ADMIN_PLACES } from "./admin-places.tsx";

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
