import { STORE_LIMITS } from "../limits.ts";
import { script } from "./script.ts";

/**
 * Puts work into the list of a shard's owner, and says so to the owner. KEYS: inbox, lease. ARGV: entry, prefix of
 * nodes' channels, shard.
 */
export const SEND = script(
  "send",
  `
redis.call('RPUSH', KEYS[1], ARGV[1])
redis.call('LTRIM', KEYS[1], ${-STORE_LIMITS.inbox}, -1)
redis.call('PEXPIRE', KEYS[1], ${STORE_LIMITS.inboxMs})
local holder = redis.call('GET', KEYS[2])
local node = holder and string.match(holder, '^(.*):%d+$')
if node then redis.call('PUBLISH', ARGV[2] .. node, 'W ' .. ARGV[3]) end
return 1
`,
);

/** Takes all work of a shard out. KEYS: inbox, lease. ARGV: holder. False for whoever is not the owner any more. */
export const RECEIVE = script(
  "receive",
  `
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return false end
local entries = redis.call('LRANGE', KEYS[1], 0, -1)
redis.call('DEL', KEYS[1])
return entries
`,
);
