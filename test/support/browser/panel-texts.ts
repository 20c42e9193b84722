import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const SOURCES = join(import.meta.dirname, '../../../gateway/panel/src');

type Section = Record<string, Record<string, string>>;

/**
 * Returns the panel's English texts that do not exist in `language`: on a page in that language they are untranslated. Covers the
 * sections in `*-text.ts` files, without texts that have placeholders.
 */
export async function untranslatedTexts(language: string): Promise<ReadonlySet<string>> {
  const modules: Record<string, Section>[] = await Promise.all(
    globSync('**/*-text.ts', { cwd: SOURCES }).map((file) => import(pathToFileURL(join(SOURCES, file)).href)),
  );
  const sections = modules.flatMap((module) => Object.values(module));
  const wordsIn = (code: string) => sections.flatMap((section) => Object.values(section[code] ?? {}));
  const own = new Set(wordsIn(language));
  return new Set(wordsIn('en').filter((words) => !own.has(words) && !words.includes('{')));
}
