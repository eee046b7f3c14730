import { startTcpProxy } from "../engines/tcp-proxy.ts";

/** Directions that a bad line holds back until it passes again. */
export type Held = "requests" | "answers" | "both";

/** The line between browsers and a relay, which a journey can make bad; good at first. */
export interface BadLine {
  /** The address for a browser, in place of the stack's own. */
  readonly url: string;
  /** Everything passes, first what was held back. */
  pass(): void;
  /** Connections stay open, new ones too, but what is sent in these directions waits. */
  hold(what: Held): void;
  /** Deliver everything in both directions so many ms later. */
  delay(ms: number): void;
  /** So many bytes a second in each direction of each connection. */
  throttle(bytesPerSecond: number): void;
  /** Breaks all connections, and new ones at once until it passes again. */
  cut(): void;
  close(): Promise<void>;
}

/** @param url of the stack, such as `stack.url` */
export async function startBadLine(url: string): Promise<BadLine> {
  const proxy = await startTcpProxy(url);
  return {
    url: `http://127.0.0.1:${proxy.port}`,
    pass: proxy.pass,
    hold(what) {
      if (what === "requests") proxy.swallowRequests();
      else if (what === "answers") proxy.swallowAnswers();
      else proxy.swallow();
    },
    delay: proxy.delay,
    throttle: proxy.throttle,
    cut: proxy.cut,
    close: proxy.close,
  };
}
