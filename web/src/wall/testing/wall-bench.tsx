import type { DisplaySettings } from "@mulkko/shared/rest/displays";
import { act, render } from "@testing-library/react";
import i18next from "i18next";
import type { ReactNode } from "react";
import { createRestClient } from "../../api/client.ts";
import { ClientContext } from "../../api/hooks.ts";
import translations from "../../i18n/locales/ko/wall.json" with { type: "json" };
import { LiveProvider } from "../../live/hooks.ts";
import {
  type Bench,
  createBench,
  devicesSnapshot,
  eventsSnapshot,
  type FakeSocket,
} from "../../live/testing/fake-relay.ts";
import { provideBrowserParts } from "../../testing/browser-parts.ts";
import { speakKorean } from "../../testing/speak-korean.ts";
import { createWaiting, WaitingContext } from "../waiting.ts";
import { WallContext, wallTexts } from "../wall-context.ts";
import { buildDisplay } from "./build-display.ts";

/** A paired screen whose live stream the test controls. */
export interface WallBench {
  readonly live: Bench;
  /** Answer to a call; undefined means that the relay has no such call. */
  answer: (url: string) => object | undefined;
  /** Send the farm's state as the relay. */
  bring(state: Record<string, Record<string, unknown>>): Promise<FakeSocket>;
  show(part: ReactNode): void;
}

/** Create the bench in Korean. */
export async function createWallBench(settings: Partial<DisplaySettings> = {}): Promise<WallBench> {
  provideBrowserParts();
  await speakKorean();
  i18next.addResourceBundle("ko", "wall", translations.wall);
  const live = createBench();
  const place = {
    settings: buildDisplay(settings).settings,
    texts: wallTexts("ko", "Asia/Seoul"),
    factor: 1,
    tight: false,
    narrow: false,
  };
  const waiting = createWaiting();
  const client = createRestClient(
    { accessToken: () => "token", refresh: () => Promise.resolve(null) },
    async (input) => {
      const answer = bench.answer(`${input}`);
      return answer ? Response.json(answer) : new Response("", { status: 404 });
    },
  );
  const bench: WallBench = {
    live,
    answer: () => undefined,
    async bring(state) {
      const socket = await live.welcome();
      act(() => {
        socket.say(devicesSnapshot("e1", 1, state));
        socket.say(eventsSnapshot("v1", 1));
        live.paint();
      });
      await act(() => live.timers.pass(0));
      return socket;
    },
    show(part) {
      render(
        <WallContext value={place}>
          <WaitingContext value={waiting}>
            <ClientContext value={client}>
              <LiveProvider tokens={live.tokens} client={live.client}>
                {part}
              </LiveProvider>
            </ClientContext>
          </WaitingContext>
        </WallContext>,
      );
    },
  };
  return bench;
}
