/**
 * Read the text of an answer.
 *
 * @throws RangeError for more than `limitBytes`; the rest is not read
 */
export async function readBody(response: Response, limitBytes: number): Promise<string> {
  if (response.body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > limitBytes) throw new RangeError(`more than ${limitBytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
