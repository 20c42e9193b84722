import { JAVA_VERSIONS } from '../../../shared/domain/java-version.ts';
import type { LineFeed } from '../game/line-feed.ts';
import { isSpeech } from '../game/log-prefix.ts';

/** Java class file versions run 44 ahead of the Java version that they need (JVMS, table 4.1-A). */
const CLASS_FILE_OFFSET = 44;
/** The newest that Forge's loader before 1.17 and its class loaders get along with. */
const JAVA_OF_OLD_FORGE = 8;

const COMPLAINTS: readonly { pattern: RegExp; advice: (version: number) => string }[] = [
  {
    pattern: /UnsupportedClassVersionError.*class file version (\d+)/,
    advice: (version) => needsNewer(version - CLASS_FILE_OFFSET),
  },
  { pattern: /UnsupportedClassVersionError/, advice: () => "This needs a newer Java. Set the instance's javaVersion." },
  // Paperclip before it starts anything, then CraftBukkit and what is made of it.
  { pattern: /requires running the server with Java (\d+) or above/, advice: needsNewer },
  {
    pattern: /Unsupported Java detected \([\d.]+\)\. This version of Minecraft requires at least Java (\d+)/,
    advice: needsNewer,
  },
  { pattern: /Unsupported Java detected \([\d.]+\)\. Only up to Java (\d+) is supported/, advice: needsAtMost },
  { pattern: /cannot be cast to (?:class )?java\.net\.URLClassLoader/, advice: () => needsAtMost(JAVA_OF_OLD_FORGE) },
];

/** What to do about a line in which a server complains of the Java that it runs on; `undefined` for any other line. */
export function wrongJavaAdvice(message: string): string | undefined {
  for (const { pattern, advice } of COMPLAINTS) {
    const match = pattern.exec(message);
    if (match) return advice(Number(match[1]));
  }
  return undefined;
}

/** Gives that advice as soon as it is needed, once: a server may well go on without the one plugin that asks for another Java. */
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
