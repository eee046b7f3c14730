import { Navigate, type RouteObject } from "react-router-dom";
import { AdminOnly } from "./AdminOnly.tsx";
import { NotFound } from "./NotFound.tsx";
import { type PageHandle, page } from "./page.ts";

/** A line for each page of the administrators' desk; those that are places of its navigation stand in `desk-places.tsx` too. */
const deskPages: RouteObject[] = [
  page("/adminpage", () => import("../features/admin-fleet/MorningPage.tsx").then((m) => m.MorningPage), [
    "morning",
    "fleet",
    "account",
  ]),
  page(
    "/adminpage/status",
    () => import("../features/admin-fleet/StatusPage.tsx").then((m) => m.StatusPage),
    ["fleet", "account"],
  ),
  page(
    "/adminpage/sensors",
    () => import("../features/admin-sensors/AdminSensorsPage.tsx").then((m) => m.AdminSensorsPage),
    ["admin-sensors", "admin", "devices"],
  ),
  page(
    "/adminpage/sensor",
    () => import("../features/admin-sensors/AdminSensorPage.tsx").then((m) => m.AdminSensorPage),
    ["admin-sensor", "devices", "maps"],
  ),
  page(
    "/adminpage/sensor/add",
    () => import("../features/admin-sensors/AdminSensorAddPage.tsx").then((m) => m.AdminSensorAddPage),
    ["admin-sensor-add", "devices", "maps"],
  ),
  page("/adminpage/users", () => import("../features/admin-users/UsersPage.tsx").then((m) => m.UsersPage), [
    "admin-users",
    "admin",
  ]),
  page("/adminpage/user", () => import("../features/admin-users/UserPage.tsx").then((m) => m.UserPage), [
    "admin-users",
    "account",
  ]),
  page(
    "/adminpage/user/add",
    () => import("../features/admin-users/UserAddPage.tsx").then((m) => m.UserAddPage),
    ["admin-users", "account"],
  ),
  page("/adminpage/audit", () => import("../features/admin-audit/AuditPage.tsx").then((m) => m.AuditPage), [
    "admin-audit",
    "displays",
    "admin",
  ]),
  page(
    "/adminpage/contacts",
    () => import("../features/admin-audit/ContactsPage.tsx").then((m) => m.ContactsPage),
    ["admin-contacts", "admin-audit"],
  ),
];

/** What leads to the desk from elsewhere, and addresses of it at which there is nothing. */
const otherAddresses: RouteObject[] = [
  ...["/sensors-table", "/tables-datatable"].map((path) => ({
    path,
    element: <Navigate to="/adminpage/sensors" replace />,
  })),
  {
    path: "/adminpage/*",
    element: <NotFound />,
    handle: { title: "shell:notFound.title" } satisfies PageHandle,
  },
];

/** What stands around the pages of the desk; it has no address of its own. */
const desk = page("", () => import("./admin-desk/AdminDesk.tsx").then((m) => m.AdminDesk), ["admin"]);

/** The administrators' desk: its frame and every page of it are fetched when an administrator goes there. */
export const adminRoutes: RouteObject = {
  element: <AdminOnly />,
  handle: { title: "shell:forbidden.title", forAdmins: true } satisfies PageHandle,
  children: [
    {
      loader: desk.loader,
      element: desk.element,
      handle: desk.handle,
      children: [...deskPages, ...otherAddresses],
    },
  ],
};
