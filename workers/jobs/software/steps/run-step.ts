import { lstatSync } from 'node:fs';
import path from 'node:path';
import type { InstallStep } from '../../../../shared/domain/software/definition.ts';
import { fillPlaceholders } from '../../../../shared/domain/software/placeholders.ts';
import { hasErrorCode } from '../../../../shared/errors/error-code.ts';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { handOver } from '../../../../shared/node/files/server/hand-over.ts';
import { TreeCursor } from '../../../../shared/node/files/tree-cursor.ts';
import { findProgram, GAME_FOLDERS } from '../../../../shared/node/processes/find-program.ts';
import type { Steps } from '../../queue/steps.ts';
import { asProgress, endedWith, installerEnvironment } from '../run-installer.ts';
import { runProgram } from '../run-program.ts';
import type { StepContext } from './step-context.ts';

const USUAL_TIMEOUT_SECONDS = 600;

/** Runs a program in the folder, which is its home. Skipped if what it creates is there. */
export async function* runStep(
  { program: name, args, creates, timeoutSeconds = USUAL_TIMEOUT_SECONDS }: Extract<InstallStep, { type: 'run' }>,
  { installation: { config, run }, options, root, values, user }: StepContext,
): Steps<void> {
  if (creates !== undefined && isThere(root, creates)) return;
  const what = `The program ${name} of the installation`;
  const order = {
    what,
    program: await programOf(name, root),
    args: args.map((arg) => fillPlaceholders(arg, values)),
    directory: root,
    user,
    env: installerEnvironment({ HOME: root, PATH: process.env.PATH ?? '' }),
    timeoutMs: timeoutSeconds * 1_000,
    record: options.home.installerRecord(config.id),
  };
  // The steps before have put files there as our own user.
  if (user) await handOver(root, user);
  const end = yield* asProgress(path.basename(name), runProgram(order, run.signal));
  if (end.code !== 0) throw endedWith(what, end);
  if (creates !== undefined && !isThere(root, creates))
    throw new GamekeeperError(
      'installation_failed',
      `${what} did not create "${creates}". Its last output: ${end.tail}`,
    );
}

async function programOf(name: string, root: string): Promise<string> {
  if (!name.includes('/')) {
    const searchPath = [process.env.PATH ?? '', ...GAME_FOLDERS].join(path.delimiter);
    const found = await findProgram(name, { searchPath });
    if (found !== undefined) return found;
    throw new GamekeeperError('installation_failed', `This machine does not have ${name}.`, {
      resolution: `Install ${name}, and start the server again.`,
    });
  }
  const file = name.replace(/^\.\//, '');
  using cursor = new TreeCursor(root);
  if (lstatSync(cursor.placeOf(file), { throwIfNoEntry: false })?.isFile()) return path.join(root, file);
  throw new GamekeeperError('installation_failed', `There is no program "${file}" in the server's folder.`);
}

function isThere(root: string, file: string): boolean {
  try {
    using cursor = new TreeCursor(root);
    return lstatSync(cursor.placeOf(file), { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return false;
    throw error;
  }
}
