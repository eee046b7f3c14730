/** The part of Node's HTTP server that ends connections. */
interface Connections {
  closeIdleConnections(): void;
  closeAllConnections(): void;
}

const SWEEP_MS = 100;

/**
 * End the connections of a server that stops (STOP-1). A connection whose answer was under way at the stop is idle
 * afterwards, and a client that keeps it open would keep the server from closing for its whole keep-alive time: those
 * that have become idle end at once, and all others at the deadline.
 *
 * @returns a function that stops it, once the server is closed
 */
export function endConnections(server: Connections, withinMs: number): () => void {
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const cut = setTimeout(() => server.closeAllConnections(), withinMs);
  return () => {
    clearInterval(sweep);
    clearTimeout(cut);
  };
}
