import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const SOURCES = join(import.meta.dirname, '../../../gateway/panel/src');

type Section = Record<string, Record<string, string>>;

/**
 * The panel's English words that are nobody's in `language`: where they stand on a page in that language, something was not
 * translated. Of the sections that have a file of their own (`*-text.ts`), without those that are filled in.
 */
export async function foreignWords(language: string): Promise<ReadonlySet<string>> {
  const modules: Record<string, Section>[] = await Promise.all(
    globSync('**/*-text.ts', { cwd: SOURCES }).map((file) => import(pathToFileURL(join(SOURCES, file)).href)),
  );
  const sections = modules.flatMap((module) => Object.values(module));
  const wordsIn = (code: string) => sections.flatMap((section) => Object.values(section[code] ?? {}));
  const own = new Set(wordsIn(language));
  return new Set(wordsIn('en').filter((words) => !own.has(words) && !words.includes('{')));
}
