import { Skeleton } from "../skeleton.tsx";
import "./form.css";

/** Placeholder of a form page while its content loads. */
export function FormPageLoading() {
  return (
    <div className="form-page" aria-busy="true">
      <Skeleton height="3rem" />
      <Skeleton height="30rem" />
    </div>
  );
}
