import "./pending-bar.css";

/** Show a line along the top while a page loads. A page that loads at once shows none. */
export function PendingBar({ pending }: { pending: boolean }) {
  return pending ? <div className="pending-bar" aria-hidden /> : null;
}
