import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { splitFilePath } from '../../../../shared/domain/files/file-path.ts';
import type { InstallStep, SoftwareDefinition } from '../../../../shared/domain/software/definition.ts';
import { fillPlaceholders, placeholderValues } from '../../../../shared/domain/software/placeholders.ts';
import { NEWEST } from '../../../../shared/domain/software/version-source.ts';
import { errorCode } from '../../../../shared/errors/error-code.ts';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { withStorageError } from '../../../../shared/node/files/disk-space.ts';
import { realServerFolder } from '../../../../shared/node/files/server/server-folder.ts';
import { findGameUser } from '../../../../shared/node/processes/system-user.ts';
import type { Steps } from '../../queue/steps.ts';
import { type Start, startOf } from '../find-start.ts';
import type { Installation, SoftwareOptions } from '../installation.ts';
import type { Installed } from '../installed.ts';
import { mergeEntry } from '../merge-tree.ts';
import { createFolder } from '../unpack-archive.ts';
import { downloadStep } from './download-step.ts';
import { filledUrl } from './filled-url.ts';
import { makeExecutable } from './make-executable.ts';
import { runStep } from './run-step.ts';
import { steamStep } from './steam-step.ts';
import type { StepContext } from './step-context.ts';
import { unpackStep } from './unpack-step.ts';
import { writeStep } from './write-step.ts';

export interface StepsOrder {
  steps: readonly InstallStep[];
  /** The record of the last installation, if there is one. */
  record: Installed | undefined;
}

/**
 * Runs the steps of a kind in order, unless they were completed for this version and the program is there. The record is removed first, so
 * that an installation that is interrupted at any point is done again.
 */
export async function* installBySteps(
  installation: Installation,
  { steps, record }: StepsOrder,
  options: SoftwareOptions,
): Steps<Start> {
  const { config, definition } = installation;
  requirePlatform(definition);
  // As with other software, "latest" installs what is newest now, and is then the version of the vendor's choice.
  const version = config.version === NEWEST ? (definition.defaultVersion ?? NEWEST) : config.version;
  const values = placeholderValues(definition, { ...config, version }, { port: config.port, ports: {} });
  await mkdir(config.directory, { recursive: true });
  const root = await realServerFolder(config.directory);
  const user = config.runAs === undefined ? undefined : await findGameUser(config.runAs);
  const context = { installation, options, root, values, user };
  const release = { version, build: '' };
  const identity = identityOf(steps, context);
  const isCurrent = record?.kind === config.software && record.version === config.version && record.steps === identity;
  const present = isCurrent ? await startOf(definition, config.directory, release) : undefined;
  if (present) return present;
  await options.records.remove(config.id);
  for (const [index, step] of steps.entries()) {
    installation.run.signal.throwIfAborted();
    yield { progress: `Step ${index + 1} of ${steps.length}: ${titleOf(step)}.` };
    try {
      yield* runOne(step, { steps, context });
    } catch (error) {
      throw stepError(error, { step, number: index + 1 });
    }
  }
  const start = await startOf(definition, config.directory, release);
  if (!start)
    throw new GamekeeperError(
      'installation_failed',
      `${definition.title} was installed, but the program to start is missing.`,
    );
  if (version !== config.version) await installation.pin(version);
  await options.records.write(config.id, { kind: config.software, ...release, steps: identity });
  yield { progress: `Installed ${definition.title}.` };
  return start;
}

async function* runOne(
  step: InstallStep,
  { steps, context }: { steps: readonly InstallStep[]; context: StepContext },
): Steps<void> {
  const { root } = context;
  switch (step.type) {
    case 'download':
      return yield* downloadStep(step, context);
    case 'steam':
      return yield* steamStep(step, context);
    case 'unpack':
      return await unpackStep(step, context, isDownload(step.file, steps));
    case 'move': {
      createFolder(root, splitFilePath(step.to).folder);
      return mergeEntry(root, { from: step.from, to: step.to, keep: step.keep ?? [] });
    }
    case 'mkdir':
      return createFolder(root, step.folder);
    case 'write':
      return writeStep(step, context);
    case 'chmod':
      return await makeExecutable(root, step.files, { required: true });
    case 'run':
      return yield* runStep(step, context);
  }
}

/** An archive that the owner has put there stays. */
function isDownload(file: string, steps: readonly InstallStep[]): boolean {
  return steps.some((step) => step.type === 'download' && step.target === file);
}

/** Returns a hash of the steps and of what they fetch. */
function identityOf(steps: readonly InstallStep[], { values }: StepContext): string {
  const chosen = steps.map((step) => {
    if (step.type === 'download') return filledUrl(step.url, values);
    return step.type === 'steam' ? fillPlaceholders(step.beta ?? '', values) : '';
  });
  return createHash('sha256')
    .update(JSON.stringify([steps, chosen]))
    .digest('hex');
}

function requirePlatform({ title, launch }: SoftwareDefinition): void {
  if (launch.type !== 'installed' || launch.program[process.platform] !== undefined) return;
  throw new GamekeeperError('installation_failed', `${title} does not run on this operating system.`, {
    resolution: `It needs ${Object.keys(launch.program).join(' or ')}.`,
  });
}

function titleOf(step: InstallStep): string {
  switch (step.type) {
    case 'download':
      return `download ${step.target}`;
    case 'steam':
      return `install Steam app ${step.appId}`;
    case 'unpack':
      return `unpack ${step.file}`;
    case 'move':
      return `move ${step.from} to ${step.to}`;
    case 'mkdir':
      return `create the folder ${step.folder}`;
    case 'write':
      return `write ${step.file}`;
    case 'chmod':
      return `make ${step.files.join(', ')} executable`;
    case 'run':
      return `run ${step.program}`;
  }
}

/** Errors that explain themselves stay; those of the file system get the step. */
function stepError(error: unknown, { step, number }: { step: InstallStep; number: number }): unknown {
  const explained = withStorageError(error, 'what the server needs');
  const code = errorCode(explained);
  if (explained instanceof GamekeeperError || code === undefined || !/^E[A-Z]+$/.test(code)) return explained;
  const isLink = code === 'ELOOP' || code === 'ENOTDIR';
  const why = isLink ? 'a link, or something else that is not a folder, is on the way' : `the system reports ${code}`;
  return new GamekeeperError('installation_failed', `Step ${number} (${titleOf(step)}) failed: ${why}.`, {
    ...(isLink && { resolution: "Replace the link with a folder: an installation stays in the server's folder." }),
    cause: error,
  });
}
