import { script } from "./script.ts";

/** Each writing step names the epoch of the data; missing data begins with it. */
const BEGIN = "redis.call('HSETNX', KEYS[1], 'epoch', ARGV[1])\n";

/** KEYS: mark. ARGV: epoch to begin with. Returns epoch and revision. */
export const MARK = script(
  "display-mark",
  `${BEGIN}return { redis.call('HGET', KEYS[1], 'epoch'), redis.call('HGET', KEYS[1], 'revision') or '0' }`,
);

/** Read everything with its mark. KEYS: mark, displays. ARGV: epoch. Returns epoch, revision, and pairs. */
export const ALL = script(
  "display-all",
  `${BEGIN}return {
  redis.call('HGET', KEYS[1], 'epoch'), redis.call('HGET', KEYS[1], 'revision') or '0',
  redis.call('HGETALL', KEYS[2])
}`,
);

/**
 * KEYS: mark, displays, seen. ARGV: epoch, `add`, `replace` or `remove`, id, text. Returns 0 if there is
 * nothing to replace or remove.
 */
export const CHANGE = script(
  "display-change",
  `${BEGIN}
if ARGV[2] ~= 'add' and redis.call('HEXISTS', KEYS[2], ARGV[3]) == 0 then return 0 end
if ARGV[2] == 'remove' then
  redis.call('HDEL', KEYS[2], ARGV[3])
  redis.call('HDEL', KEYS[3], ARGV[3])
else
  redis.call('HSET', KEYS[2], ARGV[3], ARGV[4])
end
redis.call('HINCRBY', KEYS[1], 'revision', 1)
return 1
`,
);

/**
 * KEYS: mark, displays, seen. ARGV: epoch, now, number of removed ids, those, then id, changedAt, text of
 * each. Stored displays are replaced only by newer ones. The last activity is lost with a display, so a
 * restored one counts as seen now. Otherwise an active display that was paired long ago would count as
 * unused.
 */
export const RESTORE = script(
  "display-restore",
  `${BEGIN}
local removed = tonumber(ARGV[3])
for n = 1, removed do
  redis.call('HDEL', KEYS[2], ARGV[3 + n])
  redis.call('HDEL', KEYS[3], ARGV[3 + n])
end
for n = 4 + removed, #ARGV, 3 do
  local known = redis.call('HGET', KEYS[2], ARGV[n])
  local kept = known and tonumber(string.match(known, '"changedAt":(%d+)')) or -1
  if kept < tonumber(ARGV[n + 1]) then redis.call('HSET', KEYS[2], ARGV[n], ARGV[n + 2]) end
  redis.call('HSETNX', KEYS[3], ARGV[n], ARGV[2] .. ' 0')
end
redis.call('HINCRBY', KEYS[1], 'revision', 1)
return 1
`,
);

/**
 * KEYS: displays, seen. ARGV: id, at and until of each; an empty `until` leaves the stored one. Removed
 * displays are ignored.
 */
export const RECORD_SEEN = script(
  "display-sight",
  `
for n = 1, #ARGV, 3 do
  if redis.call('HEXISTS', KEYS[1], ARGV[n]) == 1 then
    local ends = ARGV[n + 2]
    if ends == '' then ends = string.match(redis.call('HGET', KEYS[2], ARGV[n]) or '', ' (%d+)$') or '0' end
    redis.call('HSET', KEYS[2], ARGV[n], ARGV[n + 1] .. ' ' .. ends)
  end
end
return 1
`,
);

/** A code's text is `device␊expiresAt␊displayId or nothing␊asked`. */
const READ = `
local function read(code)
  local text = code and redis.call('HGET', KEYS[1], code)
  if not text then return nil end
  local device, ends, display, asked = string.match(text, '^([^\\n]*)\\n([^\\n]*)\\n([^\\n]*)\\n(.*)$')
  if not device or tonumber(ends) <= tonumber(ARGV[1]) then return nil end
  return { device = device, ends = ends, display = display, asked = asked }
end
`;

/** KEYS: codes, devices, ends. ARGV: now, code, device, expiresAt, asked, at most. */
export const OPEN_CODE = script(
  "display-open-code",
  `
for _, code in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', ARGV[1])) do
  local text = redis.call('HGET', KEYS[1], code)
  local device = text and string.match(text, '^([^\\n]*)')
  if device then redis.call('HDEL', KEYS[2], device) end
  redis.call('HDEL', KEYS[1], code)
  redis.call('ZREM', KEYS[3], code)
end
if redis.call('HEXISTS', KEYS[1], ARGV[2]) == 1 then return 'taken' end
if redis.call('ZCARD', KEYS[3]) >= tonumber(ARGV[6]) then return 'full' end
redis.call('HSET', KEYS[1], ARGV[2], ARGV[3] .. '\\n' .. ARGV[4] .. '\\n\\n' .. ARGV[5])
redis.call('HSET', KEYS[2], ARGV[3], ARGV[2])
redis.call('ZADD', KEYS[3], ARGV[4], ARGV[2])
return 'kept'
`,
);

/** KEYS: codes. ARGV: now, code. Returns expiresAt and asked, or nothing. */
export const WAITING_CODE = script(
  "display-waiting-code",
  `${READ}
local found = read(ARGV[2])
if not found or found.display ~= '' then return false end
return { found.ends, found.asked }
`,
);

/** KEYS: codes, ends. ARGV: now. Returns code and asked of each waiting code, oldest first. */
export const EVERY_WAITING_CODE = script(
  "display-every-waiting-code",
  `${READ}
local all = {}
for _, code in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do
  local found = read(code)
  if found and found.display == '' then
    all[#all + 1] = code
    all[#all + 1] = found.asked
  end
end
return all
`,
);

/** KEYS: codes, devices, ends. ARGV: now, code. */
export const WITHDRAW_CODE = script(
  "display-withdraw-code",
  `${READ}
local found = read(ARGV[2])
if not found or found.display ~= '' then return 0 end
redis.call('HDEL', KEYS[1], ARGV[2])
redis.call('HDEL', KEYS[2], found.device)
redis.call('ZREM', KEYS[3], ARGV[2])
return 1
`,
);

/** KEYS: codes. ARGV: now, code, display's id. */
export const APPROVE_CODE = script(
  "display-approve-code",
  `${READ}
local found = read(ARGV[2])
if not found or found.display ~= '' then return 0 end
redis.call('HSET', KEYS[1], ARGV[2], found.device .. '\\n' .. found.ends .. '\\n' .. ARGV[3] .. '\\n' .. found.asked)
return 1
`,
);

/** KEYS: codes, devices, ends. ARGV: now, device. Returns `unknown`, `waiting`, or the display's id, once. */
export const TAKE_CODE = script(
  "display-take-code",
  `${READ}
local code = redis.call('HGET', KEYS[2], ARGV[2])
local found = read(code)
if not found then return { 'unknown' } end
if found.display == '' then return { 'waiting' } end
redis.call('HDEL', KEYS[1], code)
redis.call('HDEL', KEYS[2], ARGV[2])
redis.call('ZREM', KEYS[3], code)
return { 'approved', found.display }
`,
);

/** KEYS: guesses. ARGV: now, ms of the window. Returns the number of guesses in it. */
export const GUESS_CODE = script(
  "display-guess-code",
  `
local ends, count = string.match(redis.call('GET', KEYS[1]) or '', '^(%d+) (%d+)$')
if not ends or tonumber(ends) <= tonumber(ARGV[1]) then ends, count = ARGV[1] + ARGV[2], 0 end
redis.call('SET', KEYS[1], string.format('%.0f %d', ends, count + 1), 'PX', ARGV[2])
return count + 1
`,
);
