import { useEffect, useRef } from "react";
import { Link, Outlet, useLocation } from "react-router-dom";
import { useExtension } from "../../api/extensions.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { ADMIN_PLACES } from "./admin-places.tsx";
import "./admin-layout.css";

/** Layout of the administrators' pages: navigation and the open page. */
export function AdminLayout() {
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
    <div className="admin-desk">
      <nav className="admin-desk__places" aria-label={t("title")}>
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
      </nav>
      <Outlet />
    </div>
  );
}
