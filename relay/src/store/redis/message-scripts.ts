import { STORE_LIMITS } from "../limits.ts";
import { script } from "./script.ts";

/**
 * Add work to the list of a shard's owner, and notify the owner. KEYS: inbox, lease. ARGV: entry, prefix of
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

/**
 * Take all work of a shard out. KEYS: inbox, lease. ARGV: holder. Returns false for any node but the owner.
 */
export const RECEIVE = script(
  "receive",
  `
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return false end
local entries = redis.call('LRANGE', KEYS[1], 0, -1)
redis.call('DEL', KEYS[1])
return entries
`,
);
