import { JAVA_VERSIONS } from '../../../shared/domain/java/java-version.ts';
import type { LineFeed } from '../game/line-feed.ts';
import { isSpeech } from '../game/log-prefix.ts';

/** A class file version is the number of the needed Java version plus 44 (JVMS, table 4.1-A). */
const CLASS_FILE_OFFSET = 44;
/** The newest Java that Forge before Minecraft 1.17 can run on: its loader casts the class loader of Java 8. */
const JAVA_OF_OLD_FORGE = 8;

const COMPLAINTS: readonly { pattern: RegExp; advice: (version: number) => string }[] = [
  {
    pattern: /UnsupportedClassVersionError.*class file version (\d+)/,
    advice: (version) => needsNewer(version - CLASS_FILE_OFFSET),
  },
  { pattern: /UnsupportedClassVersionError/, advice: () => "This needs a newer Java. Set the instance's javaVersion." },
  // Paperclip before it starts the server, then CraftBukkit and servers based on it.
  { pattern: /requires running the server with Java (\d+) or above/, advice: needsNewer },
  {
    pattern: /Unsupported Java detected \([\d.]+\)\. This version of Minecraft requires at least Java (\d+)/,
    advice: needsNewer,
  },
  { pattern: /Unsupported Java detected \([\d.]+\)\. Only up to Java (\d+) is supported/, advice: needsAtMost },
  { pattern: /cannot be cast to (?:class )?java\.net\.URLClassLoader/, advice: () => needsAtMost(JAVA_OF_OLD_FORGE) },
];

/** Returns what to do if a line complains about the Java version, or `undefined`. */
export function wrongJavaAdvice(message: string): string | undefined {
  for (const { pattern, advice } of COMPLAINTS) {
    const match = pattern.exec(message);
    if (match) return advice(Number(match[1]));
  }
  return undefined;
}

/** Shows that advice once, as soon as a line needs it: a server may keep running without a plugin that needs another Java. */
export function adviseOnJava(lines: Pick<LineFeed, 'onLineWith'>, notice: (text: string) => void): void {
  const stop = lines.onLineWith(['UnsupportedClassVersionError'], ({ message }) => {
    const advice = isSpeech(message) ? undefined : wrongJavaAdvice(message);
    if (advice === undefined) return;
    stop();
    notice(advice);
  });
}

function needsNewer(needed: number): string {
  const offered = JAVA_VERSIONS.find((java) => Number(java) >= needed);
  return offered === undefined
    ? `This needs Java ${needed} or newer, which Gamekeeper does not provide. Set an older version of it.`
    : `This needs Java ${needed} or newer. Set the instance's javaVersion to ${offered}.`;
}

function needsAtMost(most: number): string {
  const offered = JAVA_VERSIONS.findLast((java) => Number(java) <= most);
  return `This runs on Java ${most} at most. Set the instance's javaVersion to ${offered}, or its version to a newer one.`;
}
