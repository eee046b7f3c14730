import { script } from "./script.ts";

/**
 * Register this node as live, and remove expired nodes. KEYS: nodes. ARGV: node, lease ms, "1" to leave
 * instead. Returns the time of Redis (s, µs), the number of live nodes, and whether this one was known.
 */
export const HEARTBEAT = script(
  "heartbeat",
  `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local known = redis.call('ZSCORE', KEYS[1], ARGV[1]) and 1 or 0
if ARGV[3] == '1' then
  redis.call('ZREM', KEYS[1], ARGV[1])
else
  redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
return { time[1], time[2], redis.call('ZCARD', KEYS[1]), known }
`,
);

/**
 * Take a free lease. KEYS: lease, fence. ARGV: node, lease ms. Returns the fence, or false if it is not free.
 */
export const TAKE = script(
  "take",
  `
if redis.call('EXISTS', KEYS[1]) == 1 then return false end
local fence = redis.call('INCR', KEYS[2])
redis.call('SET', KEYS[1], ARGV[1] .. ':' .. fence, 'PX', ARGV[2])
return fence
`,
);

/**
 * Renew a lease. KEYS: lease, fence, inbox. ARGV: holder (`node:fence`), fence, lease ms, "1" if the lease
 * cannot have ended by this node's own clock. An expired lease is still its last owner's if no fence was
 * given out since. A missing fence counter, or one that is behind while the lease cannot have ended, means
 * that Redis lost data. The owner's copy is then the best there is, and it continues ("lost"). Returns the
 * outcome, and the number of waiting messages.
 */
export const RENEW = script(
  "renew",
  `
local holder = redis.call('GET', KEYS[1])
local state = 'held'
if holder ~= ARGV[1] then
  if holder then return { 'taken', 0 } end
  local given = redis.call('GET', KEYS[2])
  local mine = tonumber(ARGV[2])
  if given and tonumber(given) > mine then return { 'taken', 0 } end
  if not given or tonumber(given) < mine then
    if given and ARGV[4] ~= '1' then return { 'taken', 0 } end
    redis.call('SET', KEYS[2], ARGV[2])
    state = 'lost'
  end
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[3])
return { state, redis.call('LLEN', KEYS[3]) }
`,
);

/** Release a lease. KEYS: lease. ARGV: holder, channel. Returns 1 if it was this node's. */
export const GIVE_BACK = script(
  "give-back",
  `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
redis.call('PUBLISH', ARGV[2], 'free')
return 1
`,
);
