import { realpath } from 'node:fs/promises';
import { memoryForHeap } from '../../../shared/domain/java/heap.ts';
import type { RecogniseResult, RecogniseTask } from '../task-types.ts';
import { type FolderView, viewFolder } from './folder-view.ts';
import { findProgram, type ProgramFindings } from './program.ts';
import { heapOf, type StartScript, startScripts } from './scripts.ts';
import { lockFiles, settingsOf } from './settings.ts';

/** Subfolders to look at if the folder itself contains no server. */
const MAX_NESTED = 50;
/** Heap of a server without a known one. MiB. */
const DEFAULT_HEAP_MB = 1536;

/**
 * Recognises the server in a folder by its files alone: nothing is written, executed or requested. The files may be hostile: every read is
 * bounded, and the caller ends the thread if all of it takes too long.
 */
export async function recognise({ directory }: RecogniseTask): Promise<RecogniseResult> {
  const view = viewFolder(await realpath(directory));
  const scripts = startScripts(view);
  const { java, title, ...program } = await findProgram(view, scripts);
  const { notes, ...settings } = settingsOf(view);
  const heap = heapOf(view, scripts);
  const script = scripts.find(({ java: hint }) => hint !== undefined);
  const launch = program.launch ?? launchOf(program, heap?.value);
  return {
    findings: {
      ...program,
      ...(launch && { launch }),
      ...settings,
      ...(heap && { memoryMb: { ...heap, value: memoryForHeap(heap.value) } }),
      notes: [...notes, ...notesOn(program, { title, scripts })],
    },
    locks: lockFiles(view, settings.worlds?.value ?? []),
    nested: program.software ? [] : nestedServers(view),
    ...(java !== undefined && { java }),
    ...(script && { scriptJava: { value: script.java!, from: script.name } }),
  };
}

/** The launch command of a jar that Gamekeeper cannot install. */
function launchOf({ software, program }: ProgramFindings, heap = DEFAULT_HEAP_MB): ProgramFindings['launch'] {
  if (software?.value !== 'custom' || !program) return undefined;
  return { ...program, value: ['java', `-Xmx${heap}M`, '-jar', program.value, 'nogui'] };
}

function notesOn(
  { software, launch }: ProgramFindings,
  { title, scripts }: { title: string | undefined; scripts: readonly StartScript[] },
): string[] {
  const notes: string[] = [];
  if (title !== undefined) notes.push(`It is ${title}, which Gamekeeper runs as it is and does not install or update.`);
  const script = scripts.find(({ hasOptions }) => hasOptions);
  if (software && !launch && script)
    notes.push(
      `${script.name} sets Java options that the import does not use. To use them, set JDK_JAVA_OPTIONS in the environment (env).`,
    );
  return notes;
}

function nestedServers(view: FolderView): string[] {
  const folders = view.names().filter((name) => view.kindOf(name) === 'folder');
  return folders
    .slice(0, MAX_NESTED)
    .filter((name) => view.names(name).some((file) => /\.jar$|^server\.properties$|^bedrock_server/i.test(file)));
}
