import { createBrowserRouter, Navigate } from "react-router-dom";
import { DashboardPage } from "../features/dashboard/DashboardPage.tsx";
import { adminRoutes } from "./admin-routes.tsx";
import { ErrorPage } from "./ErrorPage.tsx";
import { Logout } from "./Logout.tsx";
import { FirstPage, Protected } from "./Protected.tsx";
import { notFound, type PageHandle, page } from "./page.ts";
import { Root } from "./Root.tsx";
import { Shell } from "./shell/Shell.tsx";
import { OwnOnly } from "./view-as/OwnOnly.tsx";

/** Return the handle of a page that is part of the first load. */
const named = (title: string): PageHandle => ({ title });

/**
 * Every page behind the login. Only the dashboard is part of the first load: the others load on first visit,
 * with their translations.
 */
const pages = [
  { path: "/", element: <FirstPage /> },
  { path: "/dashboard", element: <DashboardPage />, handle: named("dashboard:title") },
  page(
    "/irrigation",
    () => import("../features/irrigation/IrrigationPage.tsx").then((m) => m.IrrigationPage),
    "irrigation:title",
  ),
  page(
    "/irrigation/farm",
    () => import("../features/irrigation/farm/FarmPage.tsx").then((m) => m.FarmPage),
    "irrigation:title",
  ),
  page(
    "/irrigation/name/edit",
    () => import("../features/farms/FarmForms.tsx").then((m) => m.FarmNamePage),
    "farms:title",
  ),
  page("/farmadd", () => import("../features/farms/FarmForms.tsx").then((m) => m.FarmAddPage), "farms:title"),
  page(
    "/farmdelete",
    () => import("../features/farms/FarmDeletePage.tsx").then((m) => m.FarmDeletePage),
    "farms:title",
  ),
  page(
    "/sensors",
    () => import("../features/sensors/SensorsPage.tsx").then((m) => m.SensorsPage),
    "sensors:title",
  ),
  page("/sensors/type", () => import("./SensorTypeRoute.tsx").then((m) => m.SensorTypeRoute), "log:title"),
  page(
    "/sensors/datalist",
    () => import("../features/sensor-table/SensorTablePage.tsx").then((m) => m.SensorTablePage),
    "sensor-table:title",
  ),
  page(
    "/sensors/cot",
    () => import("../features/controller/ControllersPage.tsx").then((m) => m.ControllersPage),
    "controller:title",
  ),
  page(
    "/sensors/cot/detail",
    () => import("../features/controller/PanelPage.tsx").then((m) => m.PanelPage),
    "controller:title",
  ),
  page(
    "/cotadd",
    () => import("../features/controller-edit/ControllerAddPage.tsx").then((m) => m.ControllerAddPage),
    "controller-edit:title",
  ),
  page(
    "/controller/edit",
    () => import("../features/controller-edit/ControllerEditPage.tsx").then((m) => m.ControllerEditPage),
    "controller-edit:title",
  ),
  page(
    "/sensors/edit",
    () => import("../features/sensor-edit/SensorEditPage.tsx").then((m) => m.SensorsEditPage),
    "sensor-edit:title",
  ),
  page(
    "/irrigation/edit",
    () => import("../features/sensor-edit/SensorEditPage.tsx").then((m) => m.IrrigationEditPage),
    "sensor-edit:title",
  ),
  page(
    "/maps/edit",
    () => import("../features/sensor-edit/SensorEditPage.tsx").then((m) => m.MapsEditPage),
    "sensor-edit:title",
  ),
  page("/addpage", () => import("../features/add/AddPage.tsx").then((m) => m.AddPage), "add:title"),
  page(
    "/listadd",
    () => import("../features/add/SensorAddPage.tsx").then((m) => m.SensorAddPage),
    "sensor-add:title",
  ),
  // One route for both addresses: the map stays mounted when its types change.
  page("/maps/type?", () => import("../features/maps/MapsPage.tsx").then((m) => m.MapsPage), "maps:title"),
  page(
    "/account",
    () => import("../features/account/AccountPage.tsx").then((m) => m.AccountPage),
    "account:title",
  ),
  page("/displays", () => import("./DisplaysRoute.tsx").then((m) => m.DisplaysRoute), "displays:title"),
  // The specification names a profile page without contents: use the account page.
  { path: "/pages-profile", element: <Navigate to="/account" replace /> },
  page(
    "/alarms",
    () => import("../features/alarms/AlarmBoard.tsx").then((m) => m.AlarmsPage),
    "alarms:title",
  ),
  adminRoutes,
  notFound("*"),
];

/**
 * Pages that an administrator may view of another account's farm (HS-2); all others are for the own account.
 */
const READABLE: readonly string[] = [
  "/",
  "/dashboard",
  "/irrigation",
  "/irrigation/farm",
  "/sensors",
  "/sensors/type",
  "/sensors/datalist",
  "/sensors/cot",
  "/sensors/cot/detail",
  "/maps/type?",
  "/alarms",
  "*",
];

const guarded = pages.map((route) =>
  "path" in route && !READABLE.includes(route.path ?? "")
    ? { ...route, element: <OwnOnly>{route.element}</OwnOnly> }
    : route,
);

/** Create the router with every address of the product. Those behind the login are within `Protected`. */
export function createRouter() {
  return createBrowserRouter([
    {
      element: <Root />,
      errorElement: <ErrorPage />,
      // Render nothing before the first page has loaded.
      hydrateFallbackElement: <></>,
      children: [
        page(
          "/login",
          () => import("../features/login/LoginPage.tsx").then((m) => m.LoginPage),
          "login:title",
        ),
        page(
          "/pages-recoverpw",
          () => import("../features/recover/RecoverPage.tsx").then((m) => m.RecoverPage),
          "recover:title",
        ),
        { path: "/forgot-password", element: <Navigate to="/pages-recoverpw" replace /> },
        page(
          "/recover",
          () => import("../features/recover/NewPasswordPage.tsx").then((m) => m.NewPasswordPage),
          "recover:title",
        ),
        { path: "/logout", element: <Logout /> },
        {
          element: <Protected />,
          children: [
            {
              element: <Shell />,
              children: [
                {
                  // A page that fails or loads keeps header and navigation.
                  errorElement: <ErrorPage />,
                  hydrateFallbackElement: <></>,
                  children: guarded,
                },
              ],
            },
          ],
        },
      ],
    },
  ]);
}
