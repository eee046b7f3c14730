import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import { STORE_LIMITS } from "../limits.ts";
import { REDIS_LIMITS } from "./limits.ts";
import { script } from "./script.ts";

/**
 * The beginning of every writing script. KEYS: lease, meta. ARGV: holder, claim. `free`: the lease has ended,
 * and its last owner may renew it. `stale`: another node writes by now. An unknown claim, or one that is
 * behind, means that Redis lost data, which the caller finds by its offset.
 */
const GUARD = `
local holder = redis.call('GET', KEYS[1])
if not holder then return { 'free' } end
if holder ~= ARGV[1] then return { 'stale' } end
local claim = redis.call('HGET', KEYS[2], 'claim')
if claim and tonumber(claim) > tonumber(ARGV[2]) then return { 'stale' } end
local lost = not claim or tonumber(claim) < tonumber(ARGV[2])
`;

/** Create a script under the fence. Its own KEYS and ARGV begin with the third. */
export const guarded = (name: string, source: string) => script(name, GUARD + source);

/**
 * Claim an account. KEYS: lease, meta, values, index, tombstones, buried, events. ARGV: holder, least claim,
 * epoch, replid: these for an account without streams. Returns the claim's number.
 */
export const CLAIM = script(
  "claim",
  `
local holder = redis.call('GET', KEYS[1])
if not holder then return { 'free' } end
if holder ~= ARGV[1] then return { 'stale' } end
if redis.call('HSETNX', KEYS[2], 'epoch', ARGV[3]) == 1 then
  redis.call('HSET', KEYS[2], 'offset', 0, 'floor', 0, 'replid', ARGV[4])
end
if redis.call('HSETNX', KEYS[2], 'eepoch', ARGV[3]) == 1 then redis.call('HSET', KEYS[2], 'eoffset', 0) end
local known = tonumber(redis.call('HGET', KEYS[2], 'claim') or 0)
local claim = math.max(known, tonumber(ARGV[2])) + 1
redis.call('HSET', KEYS[2], 'claim', claim)
for n = 2, 7 do redis.call('PEXPIRE', KEYS[n], ${REDIS_LIMITS.streamKeptMs}) end
return { 'ok', claim }
`,
);

/** Postpone the expiry of the streams. KEYS: lease, meta, the streams'. ARGV: holder, claim, ms. */
export const TOUCH = guarded(
  "touch",
  `
for n = 2, #KEYS do redis.call('PEXPIRE', KEYS[n], ARGV[3]) end
return { 'ok' }
`,
);

/** Record that a poll unit is requested. KEYS: lease, meta, claims. ARGV: holder, claim, unit, now. */
export const CLAIM_UNIT = guarded(
  "claim-unit",
  `
redis.call('ZADD', KEYS[3], ARGV[4], ARGV[3])
redis.call('ZREMRANGEBYRANK', KEYS[3], 0, ${-STORE_LIMITS.claims - 1})
redis.call('PEXPIRE', KEYS[3], ${REDIS_LIMITS.claimsKeptMs})
return { 'ok' }
`,
);

/** Check only the fence. KEYS: lease, meta. ARGV: holder, claim. */
export const LOOK = guarded("look", "return { 'ok' }");

/**
 * The write step (NODE-2). KEYS: lease, meta, values, index, tombstones, buried. ARGV: holder, claim, replid,
 * from, token, now, channel, message, number of values, key and value of each, removed keys. Returns `ok`, or
 * `moved` with the offset and the token of the step that led there.
 */
export const STEP = guarded(
  "step",
  `
local stored = redis.call('HMGET', KEYS[2], 'offset', 'replid', 'step', 'floor')
if lost or stored[2] ~= ARGV[3] or tonumber(stored[1]) ~= tonumber(ARGV[4]) then
  return { 'moved', tonumber(stored[1] or 0), stored[3] or '' }
end
local offset = tonumber(ARGV[4]) + 1
local now = tonumber(ARGV[6])
local count = tonumber(ARGV[9])
for n = 10, 8 + 2 * count, 2 do
  redis.call('HSET', KEYS[3], ARGV[n], ARGV[n + 1])
  redis.call('ZADD', KEYS[4], offset, ARGV[n])
  if redis.call('ZREM', KEYS[5], ARGV[n]) == 1 then redis.call('HDEL', KEYS[6], ARGV[n]) end
end
for n = 10 + 2 * count, #ARGV do
  if redis.call('HDEL', KEYS[3], ARGV[n]) == 1 then
    redis.call('ZREM', KEYS[4], ARGV[n])
    redis.call('ZADD', KEYS[5], offset, ARGV[n])
    redis.call('HSET', KEYS[6], ARGV[n], ARGV[6])
  end
end
local floor = tonumber(stored[4])
local left = redis.call('ZCARD', KEYS[5])
while left > 0 do
  local oldest = redis.call('ZRANGE', KEYS[5], 0, 0, 'WITHSCORES')
  local at = tonumber(redis.call('HGET', KEYS[6], oldest[1]) or 0)
  if left <= ${LIVE_LIMITS.tombstones} and now - at <= ${LIVE_LIMITS.tombstoneMs} then break end
  redis.call('ZREM', KEYS[5], oldest[1])
  redis.call('HDEL', KEYS[6], oldest[1])
  floor = math.max(floor, tonumber(oldest[2]))
  left = left - 1
end
redis.call('HSET', KEYS[2], 'offset', offset, 'floor', floor, 'step', ARGV[5])
redis.call('PUBLISH', ARGV[7], ARGV[8])
return { 'ok' }
`,
);

/**
 * Check if Redis has lost data of the account. KEYS: lease, meta. ARGV: holder, claim, replid. Returns 1 if
 * it has.
 */
export const LACKS = guarded(
  "lacks",
  `
local known = redis.call('HMGET', KEYS[2], 'replid', 'epoch', 'eepoch')
return { 'ok', (lost or known[1] ~= ARGV[3] or not known[2] or not known[3]) and 1 or 0 }
`,
);

/**
 * Begin an epoch of `devices` with these values. KEYS: as of the step. ARGV: holder, claim, replid, epoch,
 * channel, message, key and value of each. Returns 1 if Redis had lost data of the account.
 */
export const BEGIN = guarded(
  "begin",
  `
local known = redis.call('HMGET', KEYS[2], 'replid', 'eepoch')
local lack = (lost or known[1] ~= ARGV[3] or not known[2]) and 1 or 0
for n = 3, 6 do redis.call('DEL', KEYS[n]) end
redis.call('HSET', KEYS[2], 'epoch', ARGV[4], 'offset', 0, 'floor', 0, 'replid', ARGV[3], 'claim', ARGV[2])
redis.call('HDEL', KEYS[2], 'step')
for n = 7, #ARGV, 2 do
  redis.call('HSET', KEYS[3], ARGV[n], ARGV[n + 1])
  redis.call('ZADD', KEYS[4], 0, ARGV[n])
end
for n = 2, 6 do redis.call('PEXPIRE', KEYS[n], ${REDIS_LIMITS.streamKeptMs}) end
redis.call('PUBLISH', ARGV[5], ARGV[6])
return { 'ok', lack }
`,
);

/**
 * Log an event. KEYS: lease, meta, events. ARGV: holder, claim, replid, epoch, offset before it, token,
 * oldest time kept, entry, channel, message. Returns `ok`, or `moved` with the offset and the token of the
 * event there.
 */
export const APPEND = guarded(
  "append",
  `
local stored = redis.call('HMGET', KEYS[2], 'eepoch', 'eoffset', 'estep', 'replid')
if lost or stored[1] ~= ARGV[4] or stored[4] ~= ARGV[3] or tonumber(stored[2]) ~= tonumber(ARGV[5]) then
  return { 'moved', tonumber(stored[2] or 0), stored[3] or '' }
end
redis.call('RPUSH', KEYS[3], ARGV[8])
redis.call('LTRIM', KEYS[3], ${-LIVE_LIMITS.eventsKept}, -1)
while redis.call('LLEN', KEYS[3]) > 1 do
  local oldest = redis.call('LINDEX', KEYS[3], 0)
  if tonumber(string.match(oldest, '^-?%d+')) >= tonumber(ARGV[7]) then break end
  redis.call('LPOP', KEYS[3])
end
redis.call('PEXPIRE', KEYS[3], ${REDIS_LIMITS.streamKeptMs})
redis.call('HSET', KEYS[2], 'eoffset', tonumber(ARGV[5]) + 1, 'estep', ARGV[6])
redis.call('PUBLISH', ARGV[9], ARGV[10])
return { 'ok' }
`,
);

/**
 * Begin an epoch of `events` with the owner's log. KEYS as above. ARGV: holder, claim, epoch, offset,
 * channel, message, entries. The epoch of `devices` is begun before it, which sets replid and claim.
 */
export const BEGIN_EVENTS = guarded(
  "begin-events",
  `
redis.call('DEL', KEYS[3])
redis.call('HSET', KEYS[2], 'eepoch', ARGV[3], 'eoffset', ARGV[4])
redis.call('HDEL', KEYS[2], 'estep')
for n = 7, #ARGV do redis.call('RPUSH', KEYS[3], ARGV[n]) end
redis.call('PEXPIRE', KEYS[3], ${REDIS_LIMITS.streamKeptMs})
redis.call('PUBLISH', ARGV[5], ARGV[6])
return { 'ok' }
`,
);

/** Read both streams at one moment (SUB-2). KEYS: meta, values, index, tombstones, buried, events. */
export const READ = script(
  "read",
  `
local meta = redis.call('HMGET', KEYS[1], 'epoch', 'offset', 'floor', 'eepoch', 'eoffset')
for n = 1, 5 do meta[n] = meta[n] or '' end
return {
  meta,
  redis.call('HGETALL', KEYS[2]),
  redis.call('ZRANGE', KEYS[3], 0, -1, 'WITHSCORES'),
  redis.call('ZRANGE', KEYS[4], 0, -1, 'WITHSCORES'),
  redis.call('HGETALL', KEYS[5]),
  redis.call('LRANGE', KEYS[6], 0, -1)
}
`,
);
