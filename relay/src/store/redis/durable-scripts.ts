import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import { STORE_LIMITS } from "../limits.ts";
import { REDIS_LIMITS } from "./limits.ts";
import { guarded } from "./stream-scripts.ts";

/** Delete entries of a hash with their times: those before a time, and the oldest beyond a number. */
const PRUNE = `
local function prune(hash, times, before, most)
  local old = redis.call('ZRANGEBYSCORE', times, '-inf', before)
  local surplus = redis.call('ZCARD', times) - #old - most
  if surplus > 0 then
    for _, id in ipairs(redis.call('ZRANGE', times, #old, #old + surplus - 1)) do old[#old + 1] = id end
  end
  for _, id in ipairs(old) do
    redis.call('HDEL', hash, id)
    redis.call('ZREM', times, id)
  end
end
`;

/**
 * Write one step of an account's valves. KEYS: lease, meta, intents, commands, their times, waterings, their
 * times, intending. ARGV: holder, claim, account, now; then one group per item: `i` channel JSON, `x`
 * channel, `c` id at JSON, `w` id at JSON.
 */
export const WRITE_VALVES = guarded(
  "write-valves",
  `${PRUNE}
local n = 5
while n <= #ARGV do
  local kind = ARGV[n]
  if kind == 'i' then
    redis.call('HSET', KEYS[3], ARGV[n + 1], ARGV[n + 2])
    n = n + 3
  elseif kind == 'x' then
    redis.call('HDEL', KEYS[3], ARGV[n + 1])
    n = n + 2
  else
    local hash = kind == 'c' and 4 or 6
    redis.call('HSET', KEYS[hash], ARGV[n + 1], ARGV[n + 3])
    redis.call('ZADD', KEYS[hash + 1], ARGV[n + 2], ARGV[n + 1])
    n = n + 4
  end
end
if redis.call('EXISTS', KEYS[3]) == 1 then
  redis.call('SADD', KEYS[8], ARGV[3])
else
  redis.call('SREM', KEYS[8], ARGV[3])
end
prune(KEYS[4], KEYS[5], '(' .. (tonumber(ARGV[4]) - ${STORE_LIMITS.commandsKeptMs}), ${STORE_LIMITS.records})
prune(KEYS[6], KEYS[7], '(' .. (tonumber(ARGV[4]) - ${LIVE_LIMITS.eventsKeptMs}), ${STORE_LIMITS.waterings})
for n = 4, 5 do redis.call('PEXPIRE', KEYS[n], ${STORE_LIMITS.commandsKeptMs + REDIS_LIMITS.releasedMs}) end
for n = 6, 7 do redis.call('PEXPIRE', KEYS[n], ${LIVE_LIMITS.eventsKeptMs + REDIS_LIMITS.releasedMs}) end
return { 'ok' }
`,
);

/** KEYS: lease, meta, alarms, their times. ARGV: holder, claim; id, time and JSON of each, `-` removes it. */
export const WRITE_ALARMS = guarded(
  "write-alarms",
  `${PRUNE}
for n = 3, #ARGV, 3 do
  if ARGV[n + 2] == '-' then
    redis.call('HDEL', KEYS[3], ARGV[n])
    redis.call('ZREM', KEYS[4], ARGV[n])
  else
    redis.call('HSET', KEYS[3], ARGV[n], ARGV[n + 2])
    redis.call('ZADD', KEYS[4], ARGV[n + 1], ARGV[n])
  end
end
prune(KEYS[3], KEYS[4], '(-inf', ${STORE_LIMITS.alarms})
return { 'ok' }
`,
);

/** KEYS: lease, meta, claims. ARGV: holder, claim, unit, now. */
export const CLAIM_UNIT = guarded(
  "claim-unit",
  `
redis.call('ZADD', KEYS[3], ARGV[4], ARGV[3])
redis.call('ZREMRANGEBYRANK', KEYS[3], 0, ${-STORE_LIMITS.claims - 1})
redis.call('PEXPIRE', KEYS[3], ${REDIS_LIMITS.claimsKeptMs})
return { 'ok' }
`,
);

/** KEYS: lease, meta, the text's. ARGV: holder, claim, text. */
export const PUT = guarded("put", "redis.call('SET', KEYS[3], ARGV[3]) return { 'ok' }");

/** KEYS: lease, meta, presence. ARGV: holder, claim; key and JSON of each. */
export const KEEP_PRESENCE = guarded(
  "keep-presence",
  `
for n = 3, #ARGV, 2 do redis.call('HSET', KEYS[3], ARGV[n], ARGV[n + 1]) end
redis.call('PEXPIRE', KEYS[3], ${REDIS_LIMITS.presenceKeptMs})
return { 'ok' }
`,
);
