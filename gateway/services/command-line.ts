/** Minecraft's own limit for a command over RCON (packets of 1,460 bytes, less their frame). */
export const MAX_COMMAND_BYTES = 1_446;

/** True for a text that can be typed as one line: not empty, no control characters, not too long (api.md, Console WebSocket). */
export function isCommandLine(text: string): boolean {
  return text !== '' && !/\p{Cc}/u.test(text) && text.isWellFormed() && Buffer.byteLength(text) <= MAX_COMMAND_BYTES;
}
