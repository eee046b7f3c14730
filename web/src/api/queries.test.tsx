import { act, cleanup, render, screen } from "@testing-library/react";
import { Type } from "typebox";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createBrowserSession } from "./browser-session.ts";
import { createRestClient } from "./client.ts";
import { RestProvider, useReload, useRestQuery } from "./queries.tsx";

const KEY = ["text"];

let reload: () => void;

function Part() {
  const { data, error } = useRestQuery(KEY, (client, signal) =>
    client.call({ method: "GET", path: "/text", answer: Type.String(), signal }),
  );
  const load = useReload();
  reload = () => load(KEY);
  return <p data-testid="part">{`${data} ${error?.name}`}</p>;
}

describe("queries", () => {
  const waiting: {
    readonly signal: AbortSignal;
    readonly answer: (response: Response) => void;
    readonly fail: (error: Error) => void;
  }[] = [];

  const rest = {
    session: createBrowserSession(),
    client: createRestClient(
      { accessToken: () => "token", refresh: async () => null },
      (_, { signal }) =>
        new Promise((resolve, reject) => {
          if (!(signal instanceof AbortSignal)) throw new Error("no signal");
          signal.addEventListener("abort", () => reject(signal.reason));
          waiting.push({ signal, answer: resolve, fail: reject });
        }),
    ),
  };
  const pages = (account: string) => (
    <RestProvider key={account} rest={rest}>
      <Part />
    </RestProvider>
  );
  const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 10)));
  const answer = (index: number, text: string) => {
    waiting[index]?.answer(new Response(JSON.stringify(text)));
    return settle();
  };
  const shown = () => screen.getByTestId("part").textContent;

  afterEach(() => {
    cleanup();
    waiting.length = 0;
  });

  it("[rest] keeps nothing of an account for the next one, also not a late answer", async () => {
    const { rerender } = render(pages("one"));
    await answer(0, "one");
    expect(shown()).toBe("one undefined");
    act(() => reload());
    await settle();
    rerender(pages("two"));
    await answer(1, "late");
    expect(waiting[1]?.signal.aborted).toBe(true);
    expect(shown()).toBe("null undefined");
    await answer(2, "two");
    expect(shown()).toBe("two undefined");
  });

  it("[rest] aborts a call when its page is left, and shows no old answer on the way back", async () => {
    const { unmount } = render(pages("one"));
    await answer(0, "one");
    unmount();
    render(pages("one"));
    expect(shown()).toBe("null undefined");
    cleanup();
    expect(waiting[1]?.signal.aborted).toBe(true);
  });

  it("[rest] asks without a network too, so that the page shows that there is no answer", async () => {
    const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    window.dispatchEvent(new Event("offline"));
    render(pages("one"));
    waiting[0]?.fail(new TypeError("network"));
    await settle();
    expect(shown()).toBe("null NoAnswerError");
    online.mockRestore();
    window.dispatchEvent(new Event("online"));
    await settle();
    // A returning network reloads nothing by itself: a poll or the user does.
    expect(waiting).toHaveLength(1);
  });

  it("[rest] replaces a call under way when its subject changes", async () => {
    render(pages("one"));
    act(() => reload());
    await settle();
    expect(waiting[0]?.signal.aborted).toBe(true);
    await answer(1, "new");
    expect(shown()).toBe("new undefined");
  });
});
