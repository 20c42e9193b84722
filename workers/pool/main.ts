import { GamekeeperError, toCodedFailure } from '../../shared/errors/gamekeeper-error.ts';
import { machineShortage } from '../../shared/errors/machine-shortage.ts';
import { archive as archiveFolder } from './archive/archive.ts';
import { exportFolder as exportAsZip } from './archive/export.ts';
import {
  compareToday as compareWithToday,
  findEntry as find,
  listEntries as list,
  findPaths as requireAll,
  sendEntry as send,
} from './browse/browse.ts';
import { decrypt as decryptFile } from './encryption/decrypt.ts';
import { encrypt as encryptFile } from './encryption/encrypt.ts';
import { compare as compareFolder } from './extract/compare.ts';
import { extract as extractArchive } from './extract/extract.ts';
import { inspect as inspectArchive } from './extract/inspect.ts';
import { peek as peekIntoArchive } from './extract/peek.ts';
import { unpackTar as unpackTarArchive } from './extract/unpack-tar.ts';
import { verify as verifyArchive } from './extract/verify.ts';
import { describe as describeJars } from './recognise/describe.ts';
import { recognise as recogniseFolder } from './recognise/recognise.ts';
import type { Outcome, PoolTaskName, PoolTasks } from './task-types.ts';
import { copy as copyFolder } from './tree/copy.ts';

/** The tasks by name, as Piscina calls them in a thread (jobs/resources/pool.ts). */
export const archive = task<'archive'>(archiveFolder);
export const extract = task<'extract'>(extractArchive);
export const unpackTar = task<'unpackTar'>(unpackTarArchive);
export const verify = task<'verify'>(verifyArchive);
export const encrypt = task<'encrypt'>(encryptFile);
export const decrypt = task<'decrypt'>(decryptFile);
export const compare = task<'compare'>(compareFolder);
export const inspect = task<'inspect'>(inspectArchive);
export const copy = task<'copy'>(copyFolder);
export const exportFolder = task<'exportFolder'>(exportAsZip);
export const recognise = task<'recognise'>(recogniseFolder);
export const peek = task<'peek'>(peekIntoArchive);
export const describe = task<'describe'>(describeJars);
export const listEntries = task<'listEntries'>(list);
export const compareToday = task<'compareToday'>(compareWithToday);
export const findPaths = task<'findPaths'>(requireAll);
export const findEntry = task<'findEntry'>(find);
export const sendEntry = task<'sendEntry'>(send);

type Work<Name extends PoolTaskName> = (task: PoolTasks[Name]['task']) => Promise<PoolTasks[Name]['result']>;

/** Coded errors are passed as values: an Error that crosses threads loses its class and its code. */
function task<Name extends PoolTaskName>(work: Work<Name>): (task: PoolTasks[Name]['task']) => Promise<Outcome<Name>> {
  return async (input) => {
    try {
      return { result: await work(input) };
    } catch (error) {
      if (!(error instanceof GamekeeperError || machineShortage(error))) throw error;
      return { failure: toCodedFailure(error) };
    }
  };
}
