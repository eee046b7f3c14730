import { createHash } from "node:crypto";
import { lauxlib, lua, lualib, to_luastring } from "fengari";
import { RedisError, type Reply } from "./redis-data.ts";

type LuaState = ReturnType<typeof lauxlib.luaL_newstate>;

/** Texts up to this length are kept in Lua's form: names of keys and commands come again and again. */
const SHORT = 80;
const MOST_KEPT = 20_000;
const kept = new Map<string, Uint8Array>();

function luaText(text: string): Uint8Array {
  if (text.length > SHORT) return to_luastring(text);
  const known = kept.get(text);
  if (known) return known;
  if (kept.size >= MOST_KEPT) kept.clear();
  const made = to_luastring(text);
  kept.set(text, made);
  return made;
}

/** Runs a command for a script. */
export type ScriptCall = (command: string, args: readonly string[]) => Reply;

/** Push an answer as Redis does for scripts: nothing is false. */
function push(state: LuaState, reply: Reply): void {
  if (reply === null) lua.lua_pushboolean(state, false);
  else if (typeof reply === "string") lua.lua_pushstring(state, luaText(reply));
  // A text made from it has no fraction then.
  else if (typeof reply === "number" && (reply | 0) === reply) lua.lua_pushinteger(state, reply);
  else if (typeof reply === "number") lua.lua_pushnumber(state, reply);
  else {
    lua.lua_createtable(state, reply.length, 0);
    for (const [n, one] of reply.entries()) {
      push(state, one);
      lua.lua_rawseti(state, -2, n + 1);
    }
  }
}

/** Return the text of an argument as Redis reads it: a whole number has no fraction. */
function argumentAt(state: LuaState, index: number): string {
  if (lua.lua_type(state, index) !== lua.LUA_TNUMBER) return lua.lua_tojsstring(state, index);
  return `${lua.lua_tonumber(state, index)}`;
}

/** Return the value on the top of the stack as Redis answers it: a number loses its fraction, false is nothing. */
function answerOf(state: LuaState): Reply {
  switch (lua.lua_type(state, -1)) {
    case lua.LUA_TSTRING:
      return lua.lua_tojsstring(state, -1);
    case lua.LUA_TNUMBER:
      return Math.trunc(lua.lua_tonumber(state, -1));
    case lua.LUA_TBOOLEAN:
      return lua.lua_toboolean(state, -1) ? 1 : null;
    case lua.LUA_TTABLE: {
      const list: Reply[] = [];
      // A list of Redis ends at its first nothing.
      for (let n = 1; ; n += 1) {
        lua.lua_rawgeti(state, -1, n);
        const isOver = lua.lua_type(state, -1) === lua.LUA_TNIL;
        if (!isOver) list.push(answerOf(state));
        lua.lua_pop(state, 1);
        if (isOver) return list;
      }
    }
    default:
      return null;
  }
}

/**
 * The scripts of Redis: the relay's own Lua, run by an interpreter. Lua 5.1 of Redis knows no whole numbers: a text
 * made by `..` from one beyond 2³¹ ends in ".0" here, which only a limit of a range does in the relay.
 */
export class RedisScripts {
  readonly #state = lauxlib.luaL_newstate();
  /** Compiled scripts by their hash; a restarted Redis knows none. */
  readonly #known = new Map<string, number>();
  #call: ScriptCall = () => null;

  constructor() {
    const state = this.#state;
    lualib.luaL_openlibs(state);
    lua.lua_createtable(state, 0, 1);
    lua.lua_pushcfunction(state, () => this.#called());
    lua.lua_setfield(state, -2, luaText("call"));
    lua.lua_setglobal(state, luaText("redis"));
  }

  /** @throws RedisError for one that was never sent */
  runKnown(sha: string, keys: readonly string[], args: readonly string[], call: ScriptCall): Reply {
    const known = this.#known.get(sha);
    if (known === undefined) throw new RedisError("NOSCRIPT No matching script. Please use EVAL.");
    return this.#run(known, keys, args, call);
  }

  /** @throws RedisError */
  run(source: string, keys: readonly string[], args: readonly string[], call: ScriptCall): Reply {
    const state = this.#state;
    if (lauxlib.luaL_loadstring(state, luaText(source)) !== lua.LUA_OK) {
      const message = lua.lua_tojsstring(state, -1);
      lua.lua_settop(state, 0);
      throw new RedisError(`ERR Error compiling script: ${message}`);
    }
    const compiled = lauxlib.luaL_ref(state, lua.LUA_REGISTRYINDEX);
    this.#known.set(createHash("sha1").update(source).digest("hex"), compiled);
    return this.#run(compiled, keys, args, call);
  }

  #run(compiled: number, keys: readonly string[], args: readonly string[], call: ScriptCall): Reply {
    const state = this.#state;
    this.#call = call;
    push(state, keys);
    lua.lua_setglobal(state, luaText("KEYS"));
    push(state, args);
    lua.lua_setglobal(state, luaText("ARGV"));
    lua.lua_rawgeti(state, lua.LUA_REGISTRYINDEX, compiled);
    const isDone = lua.lua_pcall(state, 0, 1, 0) === lua.LUA_OK;
    const answer = answerOf(state);
    lua.lua_settop(state, 0);
    if (!isDone) throw new RedisError(`ERR Error running script: ${String(answer)}`);
    return answer;
  }

  #called(): number {
    const state = this.#state;
    const count = lua.lua_gettop(state);
    const args = Array.from({ length: count }, (_, n) => argumentAt(state, n + 1));
    const [command = "", ...rest] = args;
    push(state, this.#call(command, rest));
    return 1;
  }
}
