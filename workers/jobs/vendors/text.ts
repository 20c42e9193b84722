import { VendorAnswer } from './request.ts';

/** The longest list, of all versions of NeoForge's, is 100 KB; Mojang's of all versions 300 KB. Bytes. */
const MAX_TEXT = 8 * 1024 * 1024;

/** The body as text. Throws VendorAnswer for one that is too long to be an answer. */
export async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_TEXT) throw new VendorAnswer(`sent more than ${MAX_TEXT} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
