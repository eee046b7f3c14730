import type { MouseEvent } from "react";
import { useNavigate } from "react-router-dom";
import { BackLink } from "./back-link.tsx";
import { useWayBack } from "./way-back.ts";

/** The way back to where somebody came from, as they left it. @param otherwise for who came from elsewhere */
export function ReturnLink({ otherwise }: { otherwise: string }) {
  const navigate = useNavigate();
  const back = useWayBack();
  if (back === null) return <BackLink to={otherwise} />;
  const goBack = (event: MouseEvent) => {
    // A new tab has no step to take back.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void navigate(-1);
  };
  return <BackLink to={back} onClick={goBack} />;
}
