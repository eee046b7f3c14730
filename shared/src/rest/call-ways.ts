/** Method and body format of a write; null where the call has no other. */
export interface CallWay {
  readonly method: string;
  readonly body: "json" | "form" | null;
}

/** A refusal that names the way to send a call; the server carried nothing out. */
export interface WayRefusal {
  readonly status: number;
  /** The header `Allow`. */
  readonly allow: string | null;
}

/** Sender of writes in the way that a farm API accepts, where the contract leaves it open (WAY-1). */
export interface CallWays {
  /**
   * Send a call in the known way, and once more in another where the answer asks for it: 405 with an `Allow`
   * that names the other of POST and PUT, 415 for the other of JSON and form.
   *
   * @param refusalOf reads the way from an error; null if the error names none
   */
  send<T>(
    asked: CallWay,
    path: string,
    send: (way: CallWay) => Promise<T>,
    refusalOf: (error: unknown) => WayRefusal | null,
  ): Promise<T>;
}

/** Maximum number of remembered kinds of call. */
const REMEMBERED = 200;

const OTHER_METHOD: Readonly<Record<string, string>> = { POST: "PUT", PUT: "POST" };

/** Return the kind of a call: its path without ids. */
const kindOf = ({ method }: CallWay, path: string): string =>
  `${method} ${path.replace(/\?.*$/, "").replace(/[^/]*\d[^/]*/g, (part) => (/^v\d+$/.test(part) ? part : "*"))}`;

export function createCallWays(): CallWays {
  const known = new Map<string, CallWay>();
  return {
    async send(asked, path, send, refusalOf) {
      if (OTHER_METHOD[asked.method] === undefined) return send(asked);
      const kind = kindOf(asked, path);
      const first = known.get(kind) ?? asked;
      let way: CallWay = asked.body === null ? { ...first, body: null } : first;
      const begun = way;
      for (;;) {
        try {
          const answer = await send(way);
          if (way !== begun) {
            if (known.size >= REMEMBERED) known.clear();
            known.set(kind, way);
          }
          return answer;
        } catch (error) {
          const next = otherWay(refusalOf(error), way, begun);
          if (next === null) throw error;
          way = next;
        }
      }
    },
  };
}

/** @returns null without another way */
function otherWay(refusal: WayRefusal | null, way: CallWay, begun: CallWay): CallWay | null {
  const other = OTHER_METHOD[way.method];
  if (refusal?.status === 405 && way.method === begun.method && other !== undefined) {
    const allowed = (refusal.allow ?? "").split(",").map((each) => each.trim().toUpperCase());
    return allowed.includes(other) ? { ...way, method: other } : null;
  }
  if (refusal?.status === 415 && way.body !== null && way.body === begun.body) {
    return { ...way, body: way.body === "json" ? "form" : "json" };
  }
  return null;
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
