import type { MouseEvent } from "react";
import { useNavigate } from "react-router-dom";
import { BackLink } from "./back-link.tsx";
import { useBackNavigation } from "./back-navigation.ts";

/** Link to the previous page in its state. @param otherwise address for a user who came from elsewhere */
export function ReturnLink({ otherwise }: { otherwise: string }) {
  const navigate = useNavigate();
  const back = useBackNavigation();
  if (back === null) return <BackLink to={otherwise} />;
  const goBack = (event: MouseEvent) => {
    // A new tab has no step to go back.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void navigate(-1);
  };
  return <BackLink to={back} onClick={goBack} />;
}
