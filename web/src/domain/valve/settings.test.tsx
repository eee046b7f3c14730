import { type AccountSettings, DEFAULT_SETTINGS } from "@mulkko/shared/rest/settings";
import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createPageBench, type PageBench, refusal } from "../../testing/page-bench.tsx";
import { type Settings, useSettings } from "./settings.ts";

const READ = "GET /relay/settings";
const withCap = (maxRunSeconds: number): AccountSettings => ({
  ...DEFAULT_SETTINGS,
  controllers: { unit: { maxRunSeconds } },
});

let settings: Settings;

function Part() {
  settings = useSettings();
  return <p>{`${settings.capMinutes("unit")} ${settings.failure}`}</p>;
}

describe("settings", () => {
  let page: PageBench;
  let waiting: { readonly call: string; readonly answer: (answer: unknown) => void }[];

  /** Answer the oldest waiting call with this name. */
  const answer = (name: string, value: unknown) =>
    act(async () => {
      const index = waiting.findIndex(({ call }) => call === name);
      waiting.splice(index, 1)[0]?.answer(value);
      await Promise.resolve();
    });
  beforeEach(async () => {
    page = await createPageBench();
    waiting = [];
    page.answer = (call) => new Promise((resolve) => waiting.push({ call, answer: resolve }));
    page.show(
      <>
        <Part />
        <Part />
      </>,
    );
  });
  afterEach(cleanup);
  const shows = (text: string) => vi.waitFor(() => expect(screen.getAllByText(text)).toHaveLength(2));

  it("[RUN-1] shares one call among all parts of a page", async () => {
    await answer(READ, withCap(600));
    await shows("10 null");
    expect(page.requests.map(({ call }) => call)).toEqual([READ]);
  });

  it("[RUN-1] shows a change as the relay answered it, and no older answer overwrites it", async () => {
    let saving = Promise.resolve();
    act(() => {
      saving = settings.changeCap("unit", 900);
    });
    expect(page.requests.at(-1)).toEqual({
      call: "PUT /relay/controllers/unit",
      body: { maxRunSeconds: 900 },
    });
    await answer("PUT /relay/controllers/unit", withCap(900));
    await act(() => saving);
    // The read that began before the change answers after it.
    await answer(READ, withCap(600));
    await shows("15 null");
  });

  it("[RUN-1] keeps its state after a refused change and rejects the call", async () => {
    await answer(READ, withCap(600));
    const refused = expect(settings.changeChannel("unit:1", { defaultRunSeconds: 60 })).rejects.toMatchObject(
      {
        status: 404,
      },
    );
    await answer("PUT /relay/channels/unit%3A1", refusal(404, "not-found"));
    await refused;
    await shows("10 null");
  });

  it("[RUN-1] reports a failed read and keeps the known settings until the next read succeeds", async () => {
    await answer(READ, refusal(503, "upstream-down"));
    await shows("120 upstream-down");
    act(() => settings.reread());
    await answer(READ, withCap(600));
    await shows("10 null");
    act(() => settings.reread());
    await answer(READ, refusal(503, "upstream-down"));
    await shows("10 upstream-down");
  });
});
