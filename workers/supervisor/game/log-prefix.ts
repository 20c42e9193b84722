/** A console line taken apart. */
export interface LogLine {
  /** Without colours, prompt and line end. */
  text: string;
  /** What stands behind the log prefix; all of `text` where there is none. */
  message: string;
  /** Whether there was a prefix. */
  prefixed: boolean;
}

/**
 * Takes a line (without ANSI codes) apart. Knows the shapes of field-notes 3.6: vanilla old and new, Bukkit, Paper, Forge,
 * NeoForge, Fabric, Velocity, BungeeCord, Waterfall, Geyser, Bedrock; also Cuberite and flying-squid. The prefix counts only at the very
 * start, so nobody can put one into chat.
 */
export function parseLogLine(line: string): LogLine {
  const text = line.replace(PROMPT, '').trimEnd();
  const prefix = PREFIX.exec(text)?.[0];
  return { text, message: prefix === undefined ? text : text.slice(prefix.length), prefixed: prefix !== undefined };
}

/** True for what a player said: `<name> ...`, also as `[Not Secure] <name> ...`. */
export function isSpeech(message: string): boolean {
  return SPEECH.test(message);
}

/** What a line editor leaves before a line that it prints over its prompt. */
const PROMPT = /^[\r>\s]+/;

const TIME = String.raw`\d{1,2}:\d\d:\d\d(?:[.,:]\d{3})?`;
const DAY = String.raw`(?:\d{4}-\d\d-\d\d |\d\d[A-Z][a-z]{2}\d{4} |[A-Z][a-z]{2,8} \d{1,2}(?:st|nd|rd|th) \d{4}, )?`;
const LEVEL = '(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|SEVERE|FATAL|FINE|FINER|FINEST|CONFIG)';
const SHAPES = [
  // [17:00:48] [Server thread/INFO] [net.minecraft.Main/]: and the like; (Minecraft) instead of the logger for Fabric
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
