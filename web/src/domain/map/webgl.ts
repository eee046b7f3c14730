/**
 * Return true if this browser supports WebGL 2, which the map needs. The probe releases its context at once.
 */
export function hasWebgl(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  if (context === null) return false;
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return true;
}
