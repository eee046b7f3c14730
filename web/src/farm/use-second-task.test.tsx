import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { LiveProvider } from "../live/hooks.ts";
import { type Bench, createBench } from "../live/testing/fake-relay.ts";
import { useSecondTask } from "./use-second-task.ts";

/** Lower part of a page. */
function Lower() {
  return useSecondTask() ? <p>lower</p> : null;
}

const show = ({ tokens, client }: Bench) =>
  render(
    <LiveProvider tokens={tokens} client={client}>
      <p>upper</p>
      <Lower />
    </LiveProvider>,
  );

describe("second task of a page", () => {
  afterEach(cleanup);

  it("[perf] renders the lower part after the upper part while the client starts", async () => {
    show(createBench());
    expect(screen.getByText("upper")).not.toBeNull();
    expect(screen.queryByText("lower")).toBeNull();
    expect(await screen.findByText("lower")).not.toBeNull();
  });

  it("[perf] renders a page opened later in one pass", () => {
    const bench = createBench();
    act(() => bench.client.link.setState({ everSynced: true, screen: { state: "live" } }));
    show(bench);
    expect(screen.getByText("lower")).not.toBeNull();
  });
});
