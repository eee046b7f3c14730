import type { Happening, Plan } from "./plan/plan.ts";

/**
 * Return the plan with the fewest happenings that still breaks the same rule: halves, quarters and single ones are left
 * out as long as the rule is broken without them.
 *
 * @param breaks true if a plan still breaks the rule
 */
export async function shrink(plan: Plan, breaks: (plan: Plan) => Promise<boolean>): Promise<Plan> {
  let left: Happening[] = plan.happenings;
  for (let size = Math.ceil(left.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = Math.max(0, left.length - size); from >= 0; from -= size) {
      const without = [...left.slice(0, from), ...left.slice(from + size)];
      if (without.length < left.length && (await breaks({ ...plan, happenings: without }))) left = without;
    }
  }
  return { ...plan, happenings: left };
}
