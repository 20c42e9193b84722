import type { InstalledMod } from '../../../../shared/schema/mods.ts';
import type { KnownMod, KnownMods } from '../known-mods.ts';
import type { ModTarget } from '../mod-target.ts';
import { fits } from '../planning/choose-version.ts';
import type { WaitingChange } from '../waiting-changes.ts';
import { isEnabled } from './jar-name.ts';
import type { Jar } from './jar-scanner.ts';

/** A mod's file that is in the folder, or will be there after the next start. */
export interface PresentMod extends Jar {
  /** Absent: not known to come from Modrinth. */
  known?: KnownMod;
  waiting?: 'install' | 'remove';
}

export function presentMods(jars: readonly Jar[], waiting: WaitingChange | undefined, known: KnownMods): PresentMod[] {
  const present: PresentMod[] = jars.map((jar) => {
    const mod = jar.sha512 === undefined ? undefined : known.find(jar.sha512);
    const goes = waiting?.removes.some(({ file, sha512 }) => file === jar.file && sha512 === jar.sha512);
    return { ...jar, ...(mod && { known: mod }), ...(goes && { waiting: 'remove' as const }) };
  });
  const isThere = (file: string, sha512: string) => jars.some((jar) => jar.file === file && jar.sha512 === sha512);
  for (const { file, sha512, bytes, known: mod } of waiting?.puts ?? [])
    if (!isThere(file, sha512)) present.push({ file, sha512, sizeBytes: bytes, known: mod, waiting: 'install' });
  return present;
}

/** Returns what the server will load at its next start. */
export function loadedMods(mods: readonly PresentMod[]): PresentMod[] {
  return mods.filter(({ file, waiting }) => waiting !== 'remove' && isEnabled(file));
}

export function titleOf({ known, about, file }: PresentMod): string {
  return known?.title ?? about?.name ?? file;
}

export function toInstalledMod(mod: PresentMod, target: ModTarget): InstalledMod {
  const { file, sizeBytes, known, about, waiting } = mod;
  const version = known?.version ?? about?.version;
  return {
    file,
    enabled: isEnabled(file),
    sizeBytes,
    name: titleOf(mod),
    ...(version !== undefined && { version }),
    ...(known && {
      projectId: known.projectId,
      versionId: known.versionId,
      slug: known.slug,
      fits: fits(known, target),
    }),
    ...(waiting && { waiting }),
  };
}
