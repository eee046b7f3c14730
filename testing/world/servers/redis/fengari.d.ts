/** The part of fengari, a Lua in JavaScript without types of its own, that the scripts of Redis need. */
declare module "fengari" {
  /** A state of Lua; nothing is known of its fields. */
  interface LuaState {
    readonly isLuaState: unique symbol;
  }
  type LuaText = Uint8Array;

  export function to_luastring(text: string): LuaText;

  export const lua: {
    readonly LUA_OK: number;
    readonly LUA_REGISTRYINDEX: number;
    readonly LUA_TNIL: number;
    readonly LUA_TBOOLEAN: number;
    readonly LUA_TNUMBER: number;
    readonly LUA_TSTRING: number;
    readonly LUA_TTABLE: number;
    lua_createtable(state: LuaState, items: number, fields: number): void;
    lua_gettop(state: LuaState): number;
    lua_pcall(state: LuaState, args: number, results: number, handler: number): number;
    lua_pop(state: LuaState, count: number): void;
    lua_pushboolean(state: LuaState, value: boolean): void;
    lua_pushcfunction(state: LuaState, run: (state: LuaState) => number): void;
    lua_pushinteger(state: LuaState, value: number): void;
    lua_pushnumber(state: LuaState, value: number): void;
    lua_pushstring(state: LuaState, text: LuaText): void;
    lua_rawgeti(state: LuaState, index: number, key: number): number;
    lua_rawseti(state: LuaState, index: number, key: number): void;
    lua_setfield(state: LuaState, index: number, name: LuaText): void;
    lua_setglobal(state: LuaState, name: LuaText): void;
    lua_settop(state: LuaState, top: number): void;
    lua_toboolean(state: LuaState, index: number): boolean;
    lua_tojsstring(state: LuaState, index: number): string;
    lua_tonumber(state: LuaState, index: number): number;
    lua_type(state: LuaState, index: number): number;
  };
  export const lauxlib: {
    luaL_newstate(): LuaState;
    luaL_loadstring(state: LuaState, source: LuaText): number;
    luaL_ref(state: LuaState, table: number): number;
  };
  export const lualib: { luaL_openlibs(state: LuaState): void };
}
