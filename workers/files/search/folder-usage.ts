import { OWN_FOLDER } from '../../../shared/domain/files/file-path.ts';
import type { FileKind, FileUsage } from '../../../shared/schema/files.ts';
import { listedName, statAt } from '../folder/entry.ts';
import { requirePath } from '../folder/file-error.ts';
import { namesIn } from '../folder/own-folder.ts';
import { walkFolder } from '../folder/walk-folder.ts';

const MOST_ENTRIES = 1_000;
const LIMITS = { entries: 1_000_000, milliseconds: 20_000 };

interface Counted {
  name: string;
  kind: FileKind;
  sizeBytes: number;
  files: number;
}

/** Adds up the sizes of what is in a folder, by its direct entries. Links count nothing and are not followed. Throws as `listFolder`. */
export async function folderUsage(
  root: string,
  path: string,
  signal: AbortSignal,
  limits = LIMITS,
): Promise<FileUsage> {
  requirePath(path);
  const entries = new Map<string, Counted>();
  const budget = { entries: limits.entries, until: performance.now() + limits.milliseconds };
  const stoppedBy = await count(root, path, { entries, budget, signal });
  const all = [...entries.values()].sort((one, other) => other.sizeBytes - one.sizeBytes);
  const isTop = path === '' && namesIn(root, OWN_FOLDER).length > 0;
  const own = new Map<string, Counted>();
  const stoppedInOwn = isTop ? await count(root, OWN_FOLDER, { entries: own, budget, signal }) : undefined;
  const stopped = stoppedBy ?? stoppedInOwn;
  return {
    sizeBytes: sum(all.map(({ sizeBytes }) => sizeBytes)),
    files: sum(all.map(({ files }) => files)),
    entries: all.slice(0, MOST_ENTRIES).map((entry) => ({ ...entry, name: listedName(entry.name) })),
    ...(path === '' && { keptBytes: sum([...own.values()].map(({ sizeBytes }) => sizeBytes)) }),
    ...(stopped && { stoppedBy: stopped }),
  };
}

interface Counting {
  entries: Map<string, Counted>;
  /** What is left of the limits. */
  budget: { entries: number; until: number };
  signal: AbortSignal;
}

/** Returns why it stopped early, if it did. */
async function count(
  root: string,
  path: string,
  { entries, budget, signal }: Counting,
): Promise<FileUsage['stoppedBy']> {
  const top = path === '' ? 0 : path.length + 1;
  for await (const found of walkFolder(root, path, signal)) {
    if (budget.entries-- <= 0) return 'size';
    if (performance.now() > budget.until) return 'time';
    const [name = ''] = found.path.slice(top).split('/', 1);
    const isTop = found.path.length === top + name.length;
    const entry = entries.get(name) ?? { name, kind: isTop ? found.kind : 'folder', sizeBytes: 0, files: 0 };
    entries.set(name, entry);
    const stats = found.kind === 'file' ? statAt(found.place) : undefined;
    if (!stats) continue;
    entry.sizeBytes += Number(stats.size);
    entry.files++;
  }
  return undefined;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
