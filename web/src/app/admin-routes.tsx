import { useTranslation } from "react-i18next";
import { Navigate, Outlet, type RouteObject } from "react-router-dom";
import { useAccount } from "../api/hooks.ts";
import { EmptyState } from "../components/empty-state.tsx";
import { FarmHouse } from "../components/scenes/farm-house.tsx";
import { loadTranslations } from "../i18n/translations.ts";
import { notFound, type PageHandle, page } from "./page.ts";

/** Routes of the administrators' pages. Those in the navigation are also in `AdminLayout.tsx`. */
const adminPages: RouteObject[] = [
  page(
    "/adminpage",
    () => import("../features/admin-fleet/MorningPage.tsx").then((m) => m.MorningPage),
    "morning:title",
  ),
  page(
    "/adminpage/status",
    () => import("../features/admin-fleet/StatusPage.tsx").then((m) => m.StatusPage),
    "fleet:title",
  ),
  page(
    "/adminpage/sensors",
    () => import("../features/admin-sensors/AdminSensorsPage.tsx").then((m) => m.AdminSensorsPage),
    "admin-sensors:title",
  ),
  page(
    "/adminpage/sensor",
    () => import("../features/admin-sensors/AdminSensorPage.tsx").then((m) => m.AdminSensorPage),
    "admin-sensor:title",
  ),
  page(
    "/adminpage/sensor/add",
    () => import("../features/admin-sensors/AdminSensorAddPage.tsx").then((m) => m.AdminSensorAddPage),
    "admin-sensor-add:title",
  ),
  page(
    "/adminpage/users",
    () => import("../features/admin-users/UsersPage.tsx").then((m) => m.UsersPage),
    "admin-users:title",
  ),
  page(
    "/adminpage/user",
    () => import("../features/admin-users/UserPage.tsx").then((m) => m.UserPage),
    "admin-users:title",
  ),
  page(
    "/adminpage/user/add",
    () => import("../features/admin-users/UserAddPage.tsx").then((m) => m.UserAddPage),
    "admin-users:title",
  ),
  page(
    "/adminpage/audit",
    () => import("../features/admin-audit/AuditPage.tsx").then((m) => m.AuditPage),
    "admin-audit:title",
  ),
  page(
    "/adminpage/contacts",
    () => import("../features/admin-audit/ContactsPage.tsx").then((m) => m.ContactsPage),
    "admin-contacts:title",
  ),
];

/** Redirects to the administrators' pages from other addresses. */
const otherAddresses: RouteObject[] = [
  ...["/sensors-table", "/tables-datatable"].map((path) => ({
    path,
    element: <Navigate to="/adminpage/sensors" replace />,
  })),
  notFound("/adminpage/*"),
];

/** Load the layout of the administrators' pages with their translations. */
export const loadAdminLayout = async () => {
  const [layout] = await Promise.all([import("./admin-layout/AdminLayout.tsx"), loadTranslations("admin")]);
  return layout.AdminLayout;
};

/** Layout of the administrators' pages; it has no address of its own. */
const layout = page("", loadAdminLayout, "admin:title");

/** Administrators' pages: layout and pages load when an administrator opens them. */
export const adminRoutes: RouteObject = {
  element: <AdminOnly />,
  handle: { title: "shell:forbidden.title", forAdmins: true } satisfies PageHandle,
  children: [
    {
      loader: layout.loader,
      element: layout.element,
      handle: layout.handle,
      children: [...adminPages, ...otherAddresses],
    },
  ],
};

/** Guard of the administrators' addresses: shows a message to other users. */
function AdminOnly() {
  return useAccount().userType === "ADMIN" ? <Outlet /> : <Forbidden />;
}

/** Shown at an address that this account may not open. */
function Forbidden() {
  const { t } = useTranslation("shell");
  return (
    <EmptyState
      scene={<FarmHouse />}
      title={t("forbidden.title")}
      link={{ to: "/dashboard", text: t("notFound.home") }}
    >
      {t("forbidden.text")}
    </EmptyState>
  );
}
