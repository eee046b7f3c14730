import { startTcpProxy } from "../engines/tcp-proxy.ts";

/** Directions that a bad line holds back until it passes again. */
export type Held = "requests" | "answers" | "both";

/** The line between browsers and a relay, which a journey can make bad; good at first. */
export interface BadLine {
  /** Address for a browser, in place of the stack's own. */
  readonly url: string;
  /** Pass everything, first the held data. */
  pass(): void;
  /** Keep connections open, new ones too, but hold the data in these directions. */
  hold(what: Held): void;
  /** Deliver everything in both directions this many ms later. */
  delay(ms: number): void;
  /** Limit the bytes per second in each direction of each connection. */
  throttle(bytesPerSecond: number): void;
  /** Break all connections, and new ones at once until it passes again. */
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
