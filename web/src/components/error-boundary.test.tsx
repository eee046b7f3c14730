import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ErrorBoundary } from "./error-boundary.tsx";

const part = { broken: true };

function Part() {
  if (part.broken) throw new Error("chunk not loaded");
  return <p>drawn</p>;
}

describe("[error-boundary]", () => {
  beforeEach(() => {
    // React logs caught errors; the log is expected here.
    vi.spyOn(console, "error").mockReturnValue(undefined);
  });
  afterEach(() => {
    cleanup();
    vi.restoreAllMocks();
  });

  it("[error-boundary] shows its fallback for a failed child and retries on demand", () => {
    render(
      <ErrorBoundary
        fallback={(retry) => (
          <button type="button" onClick={retry}>
            retry
          </button>
        )}
      >
        <Part />
      </ErrorBoundary>,
    );
    part.broken = false;
    fireEvent.click(screen.getByText("retry"));
    expect(screen.getByText("drawn")).not.toBeNull();
  });
});
