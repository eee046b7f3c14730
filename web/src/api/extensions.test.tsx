import { relayPath } from "@mulkko/shared/rest/routes";
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createBrowserSession } from "./browser-session.ts";
import { createRestClient } from "./client.ts";
import { useApiZone, useExtension } from "./extensions.ts";
import { RestContext } from "./hooks.ts";
import type { Fetch } from "./http.ts";

const CONFIG = { apiTimezone: "Asia/Seoul", extensions: ["devices", "something-newer"], build: "b" };

function Part() {
  const devices = useExtension("devices");
  const sessions = useExtension("sessions");
  const zone = useApiZone();
  return <p>{`devices ${devices}, sessions ${sessions}, ${zone}`}</p>;
}

function show(fetcher: Fetch): void {
  const tokens = { accessToken: () => null, refresh: async () => null };
  const rest = { session: createBrowserSession(), client: createRestClient(tokens, fetcher) };
  render(
    <RestContext value={rest}>
      <Part />
      <Part />
    </RestContext>,
  );
}

describe("extensions", () => {
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
  });

  it("[rest] asks once for the farm API's extensions, for all parts of a page", async () => {
    const asked: string[] = [];
    show(async (path) => {
      asked.push(path);
      return new Response(JSON.stringify(CONFIG));
    });
    expect(screen.getAllByText("devices false, sessions false, null")).toHaveLength(2);
    expect(await screen.findAllByText("devices true, sessions false, Asia/Seoul")).toHaveLength(2);
    expect(asked).toEqual([relayPath.config]);
  });

  it("[rest] asks an unreachable relay again and offers nothing before its answer", async () => {
    vi.useFakeTimers();
    let away = true;
    show(async () => {
      if (away) throw new TypeError("network");
      return new Response(JSON.stringify(CONFIG));
    });
    await act(() => vi.advanceTimersByTimeAsync(9_000));
    expect(screen.getAllByText("devices false, sessions false, null")).toHaveLength(2);
    away = false;
    await act(() => vi.advanceTimersByTimeAsync(2_000));
    expect(screen.getAllByText("devices true, sessions false, Asia/Seoul")).toHaveLength(2);
  });
});
