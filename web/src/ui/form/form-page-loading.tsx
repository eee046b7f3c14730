import { Skeleton } from "../feedback/skeleton.tsx";
import "./form-page.css";

/** Stands in the place of a page that is one form, until it is known what is changed there. */
export function FormPageLoading() {
  return (
    <div className="form-page" aria-busy="true">
      <Skeleton height="3rem" />
      <Skeleton height="30rem" />
    </div>
  );
}
