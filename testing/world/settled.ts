/** Work that takes no time in the world, but takes turns of the event loop of this process. */
let underWay = 0;

/** Let the world stand still until a piece of work has ended: a statement of the database, a signature. */
export function untilDone<T>(work: Promise<T>): Promise<T> {
  underWay += 1;
  return work.finally(() => {
    underWay -= 1;
  });
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Turns of the event loop without any work after which everything has ended that does not wait for the time. */
const QUIET_TURNS = 3;

/** Files that are read or closed, and what runs in the next turn of the event loop. */
const isWork = (name: string): boolean =>
  name === "Immediate" || name === "CloseReq" || name.startsWith("FSReq");

/** Resolve once nothing goes on in this process but what waits for the time of the world. */
export async function settled(): Promise<void> {
  for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
    await turn();
    if (underWay > 0 || process.getActiveResourcesInfo().some(isWork)) quiet = -1;
  }
}

/** Names of the calls of WebCrypto that this process makes in other threads. */
const SIGNING = ["digest", "sign", "verify", "importKey", "deriveBits", "encrypt", "decrypt"] as const;

/** Let the world wait for WebCrypto, which works in threads of its own. Call it once in a process. */
export function waitForSignatures(): void {
  const { prototype } = SubtleCrypto;
  for (const name of SIGNING) {
    const own: unknown = Reflect.get(prototype, name);
    if (typeof own !== "function") throw new Error(`no crypto.subtle.${name}`);
    const waited = function (this: SubtleCrypto, ...all: unknown[]): Promise<unknown> {
      return untilDone(Promise.resolve(Reflect.apply(own, this, all)));
    };
    Object.defineProperty(prototype, name, { value: waited, configurable: true, writable: true });
  }
}
