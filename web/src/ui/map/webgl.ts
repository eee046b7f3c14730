/** Whether this browser draws with WebGL 2, which the map needs. The probe gives its context back at once. */
export function hasWebgl(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  if (context === null) return false;
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return true;
}
