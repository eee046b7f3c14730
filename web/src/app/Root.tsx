import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Outlet, ScrollRestoration, useLocation } from "react-router-dom";
import { useSurfaceOf } from "../ui/theme/use-surface.ts";

/** Around every page: the surface follows the address, the document has its title. */
export function Root() {
  const { t } = useTranslation("common");
  const { pathname } = useLocation();
  useSurfaceOf(pathname);
  useEffect(() => {
    document.title = t("app.name");
  }, [t]);
  return (
    <>
      <Outlet />
      <ScrollRestoration />
    </>
  );
}
