import "./pending-bar.css";

/** A line along the top while a page is on its way; a page that comes at once shows none. */
export function PendingBar({ pending }: { pending: boolean }) {
  return pending ? <div className="pending-bar" aria-hidden /> : null;
}
