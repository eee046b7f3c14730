import { usePerson } from "../api/hooks.ts";
import { useLoaded } from "../components/lazy/retried.ts";
import { Skeleton } from "../components/skeleton.tsx";
import { DisplaysPage } from "../features/displays/DisplaysPage.tsx";
import { loadAdminLayout } from "./admin-routes.tsx";

/** Render `/displays`; for administrators it is one of their pages. */
export function DisplaysRoute() {
  return usePerson().userType === "ADMIN" ? <AdminDisplays /> : <DisplaysPage />;
}

function AdminDisplays() {
  const layout = useLoaded(loadAdminLayout);
  if (layout.state === "loading") return <Skeleton height="20rem" />;
  if (layout.state === "failed") return <DisplaysPage />;
  const AdminLayout = layout.value;
  return (
    <AdminLayout>
      <DisplaysPage />
    </AdminLayout>
  );
}
