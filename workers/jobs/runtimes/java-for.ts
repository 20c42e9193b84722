import { JAVA_VERSIONS, type JavaVersion } from '../../../shared/domain/java/java-version.ts';
import { isBelow } from '../../../shared/domain/software/minecraft-version.ts';

/** Returns the runtime for a needed major version: the oldest that is new enough. 1.17 needs 16 and runs on 17. */
export function javaFor(needed: number): JavaVersion | undefined {
  return JAVA_VERSIONS.find((version) => Number(version) >= needed);
}

/** Returns what a version of Minecraft needs, without asking Mojang (minecraft.wiki, "Java Edition", system requirements). */
export function javaOfMinecraft(version: string): number {
  const limits: [string, number][] = [
    ['1.17', 8],
    ['1.18', 16],
    ['1.20.5', 17],
    ['26.1', 21],
  ];
  return limits.find(([limit]) => isBelow(version, limit))?.[1] ?? NEWEST;
}

const NEWEST = Math.max(...JAVA_VERSIONS.map(Number));
