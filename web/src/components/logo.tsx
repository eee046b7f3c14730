import "./logo.css";

/** The logo: a paddy bank, its opening, and the water that flows through. */
export function Logo({ size = 32, flowing = false }: { size?: number; flowing?: boolean }) {
  return (
    <svg
      className="logo"
      data-flowing={flowing || undefined}
      viewBox="0 0 48 48"
      width={size}
      height={size}
      fill="none"
      strokeWidth="3"
      strokeLinecap="round"
      strokeLinejoin="round"
      style={{ flex: "none" }}
      aria-hidden
    >
      <rect fill="#1c2b26" width="48" height="48" rx="11" />
      <path stroke="#b9cfa3" d="M6 15.5h10.5c3 0 4.5 1.6 4.5 4.6V26M42 15.5H31.5c-3 0-4.5 1.6-4.5 4.6V26" />
      <path className="logo__water" stroke="#7fc0f5" d="M24 9v18.5" />
      <path
        stroke="#7fc0f5"
        d="M9 33.5c2.5-2 5-2 7.5 0s5 2 7.5 0 5-2 7.5 0 5 2 7.5 0M13.5 39.5c1.8-1.4 3.5-1.4 5.25 0s3.5 1.4 5.25 0 3.5-1.4 5.25 0 3.5 1.4 5.25 0"
      />
    </svg>
  );
}
