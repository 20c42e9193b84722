export interface LogLine {
  /** The line without colours, prompt and line end. */
  text: string;
  /** The text after the log prefix, or all of it if there is none. */
  message: string;
  prefixed: boolean;
}

/**
 * Parses a line without ANSI codes. Knows the prefixes in the test data of aternosorg/codex-minecraft (vanilla old and new, Bukkit, Paper,
 * Forge, NeoForge, Fabric, Velocity, BungeeCord, Waterfall, Geyser, Bedrock), and those of Cuberite and flying-squid. A prefix counts only at
 * the very start of a line, so players cannot fake one in chat. `own` replaces these prefixes: see `logPrefixOf`.
 */
export function parseLogLine(line: string, own?: RegExp): LogLine {
  const text = line.replace(PROMPT, '').trimEnd();
  const prefix = own ? own.exec(text.slice(0, LONGEST_PREFIXED))?.[0] : PREFIX.exec(text)?.[0];
  return { text, message: prefix === undefined ? text : text.slice(prefix.length), prefixed: prefix !== undefined };
}

/** Compiles the `logPrefix` of a kind, to be found at the beginning of a line. */
export function logPrefixOf({ logPrefix }: { logPrefix?: string }): RegExp | undefined {
  return logPrefix === undefined ? undefined : new RegExp(`^(?:${logPrefix})`);
}

/** Prefixes are short, and the work of a pattern can grow with the square of what it is given. */
const LONGEST_PREFIXED = 512;

/** True for a player's chat: `<name> ...` or `[Not Secure] <name> ...`. */
export function isSpeech(message: string): boolean {
  return SPEECH.test(message);
}

/** The rest of the prompt, if a line editor printed the line over it. */
const PROMPT = /^[\r>\s]+/;

const TIME = String.raw`\d{1,2}:\d\d:\d\d(?:[.,:]\d{3})?`;
const DAY = String.raw`(?:\d{4}-\d\d-\d\d |\d\d[A-Z][a-z]{2}\d{4} |[A-Z][a-z]{2,8} \d{1,2}(?:st|nd|rd|th) \d{4}, )?`;
const LEVEL = '(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|SEVERE|FATAL|FINE|FINER|FINEST|CONFIG)';
const SHAPES = [
  // [17:00:48] [Server thread/INFO] [net.minecraft.Main/]: or, with Fabric, (Minecraft) in place of the logger
  String.raw`\[${DAY}${TIME}\] \[[^\]]*\/${LEVEL}\](?::| +\[[^\]]*\]:| +\([^)]*\)) *`,
  // [17:00:48 INFO]: and [17:00:48.337 main/INFO]
  String.raw`\[${DAY}${TIME} (?:[^\]]*\/)?${LEVEL}\]:? *`,
  // 2019-02-16 00:25:29 [INFO]
  String.raw`${DAY}${TIME} \[${LEVEL}\]:? *`,
  // [08:18:01] and [08:18:01] [INFO]
  String.raw`\[${DAY}${TIME}\] (?:\[${LEVEL}\]:? *)?`,
  // [INFO]
  String.raw`\[${LEVEL}\]:? *`,
];
const PREFIX = new RegExp(`^(?:${SHAPES.join('|')})`);

const SPEECH = /^(?:\[Not Secure\] )?<[^>]*>/;
