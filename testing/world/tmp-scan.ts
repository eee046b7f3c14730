import { Hunt } from "./hunt.ts";
import { drawPlan } from "./plan.ts";
const [from, count, kind] = process.argv.slice(2);
const hunt = await Hunt.begin();
let n = 0;
for (let seed = Number(from); n < Number(count); seed += 1) {
  const plan = drawPlan(seed, 30);
  if (kind === "relays" && !plan.relays) continue;
  if (kind === "plain" && !plan.plain) continue;
  if (kind === "clocks" && !plan.serverClock) continue;
  n += 1;
  const t = performance.now();
  const { violation, log } = await hunt.run(plan);
  const errors = log.filter((l) => !l.includes("redis-unavailable") && !l.includes("storage-failed") && /"level":(50|60)|: (Type|Range|Reference)?Error/.test(l));
  console.log(seed, plan.plain ? "plain" : "", plan.relays ?? 1, Math.round((performance.now() - t) / 1000) + "s", violation ? `${violation.invariant} at ${Math.round(violation.afterMs / 1000)} s: ${violation.text}` : "ok", errors.length ? `ERRORS ${errors.length} ${errors[0]?.slice(0, 300)}` : "");
}
process.exit(0);
