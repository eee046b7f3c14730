import type { Method, Operation } from "./operations/operation.ts";

/** Method and body format of a write; `body` is null where the call has no other. */
export interface CallWay {
  readonly method: Method;
  readonly body: "json" | "form" | null;
}

/** A refusal that names the way to send a call; the server carried nothing out. */
export interface WayRefusal {
  readonly status: number;
  /** The header `Allow`. */
  readonly allow: string | null;
}

/** Methods by which an API may take a write that the contract names by one of them. */
const EITHER: readonly Method[] = ["POST", "PUT"];

/** Return the methods that may be tried after one was answered 405, the first one first. */
function otherMethods(
  { methods }: Pick<Operation, "methods">,
  { method }: CallWay,
  allow: string | null,
): readonly Method[] {
  const allowed = (allow ?? "").split(",").map((each) => each.trim().toUpperCase());
  const named = EITHER.filter((each) => EITHER.includes(method) && allowed.includes(each));
  return [...methods, ...named].filter((each) => each !== method);
}

/**
 * Sender of writes in the way that a farm API accepts, where the contract leaves it open (WAY-1). After 405
 * it is another method of the call's row, or the one of POST and PUT that `Allow` names; after 415 the other
 * of JSON and form. The way that worked is remembered for the row.
 */
export class CallWays {
  readonly #known = new Map<string, CallWay>();

  /**
   * Send a call in the known way, and in another where the answer asks for it.
   *
   * @param operation the call's row; null for a call that has one way only
   * @param refusalOf reads the way from an error; null if the error names none
   */
  async send<T>(
    asked: CallWay,
    operation: Pick<Operation, "methods" | "path"> | null,
    send: (way: CallWay) => Promise<T>,
    refusalOf: (error: unknown) => WayRefusal | null,
  ): Promise<T> {
    if (operation === null || asked.method === "GET") return send(asked);
    const kind = `${asked.method} ${operation.path}`;
    const first = this.#known.get(kind) ?? asked;
    let way: CallWay = asked.body === null ? { ...first, body: null } : first;
    const tried = new Set([way.method]);
    const bodies = new Set([way.body]);
    for (;;) {
      try {
        const answer = await send(way);
        if (way !== asked) this.#known.set(kind, way);
        return answer;
      } catch (error) {
        const refusal = refusalOf(error);
        const other = way.body === "json" ? "form" : "json";
        const method = otherMethods(operation, way, refusal?.allow ?? null).find((each) => !tried.has(each));
        if (refusal?.status === 405 && method !== undefined) way = { ...way, method };
        else if (refusal?.status === 415 && way.body !== null && !bodies.has(other)) {
          way = { ...way, body: other };
        } else throw error;
        tried.add(way.method);
        bodies.add(way.body);
      }
    }
  }
}

/**
 * Return the fields of a body as form fields: undefined is left out, null is empty, a list is joined by
 * commas.
 */
export function formOf(fields: object): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const isPlain = typeof value !== "object" || value === null || Array.isArray(value);
    form.set(name, value === null ? "" : isPlain ? String(value) : JSON.stringify(value));
  }
  return form;
}
