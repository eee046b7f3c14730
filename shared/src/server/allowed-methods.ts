import FindMyWay, { type HTTPMethod } from "find-my-way";

const isMethod = (method: string): method is HTTPMethod => /^[A-Z-]+$/.test(method);

/** The methods of a server's routes by path, for answers 405 with `Allow`. Routes for every path do not count. */
export class AllowedMethods {
  readonly #router = FindMyWay({ maxParamLength: 500 });
  readonly #methods = new Set<HTTPMethod>();

  add(methods: string | readonly string[], url: string): void {
    if (url.includes("*")) return;
    for (const method of [methods].flat()) {
      if (!isMethod(method) || this.#router.hasRoute(method, url)) continue;
      this.#methods.add(method);
      this.#router.on(method, url, () => undefined);
    }
  }

  /** Return the methods of the routes with this path, sorted; empty where there is none. @param path without a query */
  of(path: string): readonly string[] {
    return [...this.#methods].filter((method) => this.#router.find(method, path) !== null).sort();
  }
}
