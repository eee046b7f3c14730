import { parse } from "@mulkko/shared/schema/parse";
import { type Static, Type } from "typebox";

/** Messages between tabs about this browser's session. */
export const TabNews = Type.Union([
  Type.Object({ kind: Type.Literal("tokens"), accessToken: Type.String(), accountId: Type.String() }),
  /** The signed-in account was changed: its name, picture, time zone. */
  Type.Object({ kind: Type.Literal("account"), accountId: Type.String() }),
  Type.Object({ kind: Type.Literal("signed-out") }),
]);
export type TabNews = Static<typeof TabNews>;

/** Channel to the other tabs of this origin, not to the own one. */
export interface TabChannel {
  tell(news: TabNews): void;
  listen(listener: (news: TabNews) => void): void;
}

export function createTabChannel(name: string): TabChannel {
  const channel = new BroadcastChannel(name);
  return {
    tell: (news) => channel.postMessage(news),
    listen(listener) {
      channel.addEventListener("message", (event) => {
        const news = parse(TabNews, event.data);
        if (news.ok) listener(news.value);
      });
    },
  };
}
