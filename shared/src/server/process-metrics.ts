import { collectDefaultMetrics, Registry } from "prom-client";

const registries = new Map<string, Registry>();

/**
 * Return Node's own metrics of this process (`…process_…`, `…nodejs_…`): one registry for all apps that run in it, since
 * prom-client never ends what collects them, and would keep each app for as long as the process lives.
 *
 * @param prefix of their names, as `mulkko_api_`
 */
export function processMetrics(prefix: string): Registry {
  const known = registries.get(prefix);
  if (known) return known;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix });
  registries.set(prefix, registry);
  return registry;
}

/** Return an app's metrics with those of its process, as Prometheus text. */
export function metricsText(app: Registry, prefix: string): Promise<string> {
  return Registry.merge([app, processMetrics(prefix)]).metrics();
}
