import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { InstallStep } from '../../../../shared/domain/software/definition.ts';
import { fillPlaceholders } from '../../../../shared/domain/software/placeholders.ts';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { handOver } from '../../../../shared/node/files/server/hand-over.ts';
import { findProgram, GAME_FOLDERS } from '../../../../shared/node/processes/find-program.ts';
import type { Steps } from '../../queue/steps.ts';
import { endedWith, installerEnvironment } from '../run-installer.ts';
import { runProgram } from '../run-program.ts';
import { createFolder } from '../unpack-archive.ts';
import type { StepContext } from './step-context.ts';

/** Tens of gigabytes over a slow line. Milliseconds. */
const TIMEOUT_MS = 24 * 3_600_000;
/** A progress line for each tenth is enough. */
const EVERY_PERCENT = 10;

/** Installs or updates an app of Steam with SteamCMD, as developer.valvesoftware.com/wiki/SteamCMD describes. */
export async function* steamStep(
  { appId, beta: template = '', to = '' }: Extract<InstallStep, { type: 'steam' }>,
  { installation, options, root, values, user }: StepContext,
): Steps<void> {
  const { config, definition, run } = installation;
  const program = await steamCmd(definition.title);
  const beta = fillPlaceholders(template, values);
  if (!/^[\w.-]{0,100}$/.test(beta))
    throw new GamekeeperError('installation_failed', `"${beta}" is not the name of a branch on Steam.`);
  createFolder(root, to);
  // SteamCMD keeps half a gigabyte of its own there, and only one at a time may use it. Other users cannot enter the cache.
  const home = user ? root : path.join(options.home.cache, 'steamcmd');
  await mkdir(home, { recursive: true });
  if (user) await handOver(root, user);
  if (options.downloads.mutex.isTaken(home)) yield { progress: 'Waiting for another installation by SteamCMD.' };
  const release = await options.downloads.mutex.take(home, run.signal);
  try {
    // The default branch has a name, too: without it, SteamCMD stays on the last one (ValveSoftware/steam-for-linux#8366).
    const branch = beta === '' ? [] : ['-beta', beta];
    const order = {
      what: `The installation of ${definition.title} by SteamCMD`,
      program,
      args: [
        ...['+force_install_dir', path.join(root, to), '+login', 'anonymous'],
        ...['+app_update', String(appId), ...branch, 'validate', '+quit'],
      ],
      directory: home,
      user,
      env: installerEnvironment({ HOME: home, PATH: process.env.PATH ?? '' }),
      timeoutMs: TIMEOUT_MS,
      record: options.home.installerRecord(config.id),
    };
    yield* untilInstalled(appId, () => runProgram(order, run.signal));
  } finally {
    release();
  }
}

async function steamCmd(title: string): Promise<string> {
  const searchPath = [process.env.PATH ?? '', ...GAME_FOLDERS].join(path.delimiter);
  const program = await findProgram('steamcmd', { searchPath });
  if (program !== undefined) return program;
  throw new GamekeeperError('installation_failed', `This machine does not have SteamCMD, which installs ${title}.`, {
    resolution:
      'Install the Debian package steamcmd. It is in the section non-free and needs the architecture i386: see wiki.debian.org/SteamCMD.',
  });
}

type Run = () => ReturnType<typeof runProgram>;

/** A first run that only updates SteamCMD itself reports a missing configuration; the next one then works. */
async function* untilInstalled(appId: number, start: Run): Steps<void> {
  for (let attempt = 1; ; attempt++) {
    const outcome = yield* follow(appId, start());
    if (outcome.isInstalled) return;
    if (attempt === 1 && /Missing configuration/i.test(outcome.error ?? '')) continue;
    if (outcome.error === undefined) throw endedWith('SteamCMD', outcome);
    throw new GamekeeperError('installation_failed', `SteamCMD could not install app ${appId}: ${outcome.error}`, {
      resolution: adviceFor(outcome.error),
    });
  }
}

interface Outcome {
  isInstalled: boolean;
  /** Its last line that reports an error. */
  error: string | undefined;
  code: number | string;
  tail: string;
}

/** Exit codes say nothing reliable, so its own words count. */
async function* follow(appId: number, lines: ReturnType<typeof runProgram>): Steps<Outcome> {
  let isInstalled = false;
  let error: string | undefined;
  let shown = -1;
  try {
    for (;;) {
      const next = await lines.next();
      if (next.done) return { isInstalled, error, ...next.value };
      const line = next.value;
      if (line.startsWith(`Success! App '${appId}'`)) isInstalled = true;
      else if (/^ERROR!|^Error!|^FAILED/.test(line)) error = line;
      const percent = /^Update state \(0x[0-9a-f]+\) .*progress: (\d+)/i.exec(line)?.[1];
      const tenth = percent === undefined ? undefined : Math.floor(Number(percent) / EVERY_PERCENT);
      if (tenth === undefined || tenth !== shown) yield { progress: `SteamCMD: ${line}` };
      if (tenth !== undefined) shown = tenth;
    }
  } finally {
    await lines.return({ code: 0, tail: '' });
  }
}

/** The states are bits (0x200: the disk is full), reported by users, not by Valve. */
function adviceFor(error: string): string {
  if (/0x202|Disk (?:write failure|space)|Not enough/i.test(error))
    return 'Free disk space, and start the server again.';
  if (/No subscription/i.test(error))
    return 'The app cannot be installed without an account. Check its number and branch.';
  return "Check this machine's internet connection and start the server again.";
}
