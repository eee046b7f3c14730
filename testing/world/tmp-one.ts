import { Hunt } from "./hunt.ts";
import { drawPlan } from "./plan.ts";
const [seed, from, to] = process.argv.slice(2);
const hunt = await Hunt.begin();
const { violation, log, story } = await hunt.run(drawPlan(Number(seed), 30));
console.log(story.filter((l) => l >= (from ?? "") && l <= (to ?? "99")).join("\n"));
console.log(violation, log.length);
for (const l of log.slice(-40)) console.log(l.slice(0, 400));
process.exit(0);
