import "./skeleton.css";

/** Reserve the space of loading content. Sizes are any CSS length. */
export function Skeleton({ width = "100%", height = "1em" }: { width?: string; height?: string }) {
  return <span className="skeleton" style={{ width, height }} aria-hidden />;
}
