import { createBrowserRouter, Navigate } from "react-router-dom";
import { AccountPage } from "../features/account/AccountPage.tsx";
import { ControllersPage } from "../features/controller/ControllersPage.tsx";
import { PanelPage } from "../features/controller/PanelPage.tsx";
import { DashboardPage } from "../features/dashboard/DashboardPage.tsx";
import { LoginPage } from "../features/login/LoginPage.tsx";
import { SensorsPage } from "../features/sensors/SensorsPage.tsx";
import { ErrorPage } from "./ErrorPage.tsx";
import { Logout } from "./Logout.tsx";
import { NotFound } from "./NotFound.tsx";
import { Protected } from "./Protected.tsx";
import { Root } from "./Root.tsx";
import { SensorTypeRoute } from "./SensorTypeRoute.tsx";
import { Shell } from "./shell/Shell.tsx";

/** Every address of the product. Those behind the login stand within `Protected`. */
export function createRouter() {
  return createBrowserRouter([
    {
      element: <Root />,
      errorElement: <ErrorPage />,
      children: [
        { path: "/login", element: <LoginPage /> },
        { path: "/logout", element: <Logout /> },
        {
          element: <Protected />,
          children: [
            {
              element: <Shell />,
              children: [
                {
                  // A page that breaks leaves header and navigation standing.
                  errorElement: <ErrorPage />,
                  children: [
                    { path: "/", element: <Navigate to="/dashboard" replace /> },
                    { path: "/dashboard", element: <DashboardPage /> },
                    { path: "/irrigation", element: <ControllersPage /> },
                    { path: "/sensors", element: <SensorsPage /> },
                    { path: "/sensors/type", element: <SensorTypeRoute /> },
                    { path: "/sensors/cot", element: <ControllersPage /> },
                    { path: "/sensors/cot/detail", element: <PanelPage /> },
                    { path: "/account", element: <AccountPage /> },
                    { path: "*", element: <NotFound /> },
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
  ]);
}
