/** The daemon: knows which servers should run, and starts and watches every other process. compose.ts builds its parts. */
import { existsSync } from 'node:fs';
import { showUnprintable } from '../shared/domain/console/invisible-characters.ts';
import { isLive } from '../shared/domain/instance/phase.ts';
import { VERSION } from '../shared/domain/version.ts';
import { type Home, homeAt } from '../shared/node/files/home.ts';
import { loadSettings } from '../shared/node/files/settings-file.ts';
import { EXIT } from '../shared/node/processes/exit-codes.ts';
import type { Settings } from '../shared/schema/settings.ts';
import { composeDaemon, type Daemon } from './compose.ts';
import { checkHome } from './home/home-directories.ts';
import type { Registry } from './instances/registry.ts';
import { checkSettings } from './settings/check-settings.ts';
import { serviceManager } from './shutdown/service-manager.ts';
import { createShutdown, obeySignals, type Shutdown } from './shutdown/shutdown.ts';
import { stopServers } from './shutdown/stop-servers.ts';
import { type DaemonOptions, parseCommandLine } from './startup/command-line.ts';
import { explainFailure } from './startup/explain-failure.ts';
import { chosenPassword } from './startup/first-run.ts';
import { thisRelease } from './startup/release.ts';
import { resumeWork } from './startup/resume-work.ts';
import { startDaemon } from './startup/start-daemon.ts';
import { takeHome } from './startup/take-home.ts';
import { waitForDiskSpace } from './startup/wait-for-disk-space.ts';
import { welcome } from './startup/welcome.ts';
import { replaceOutdated } from './supervisors/replace-outdated.ts';

// A terminal may be closed and a pipe's reader may exit. That must not end the daemon.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

try {
  const options = parseCommandLine(process.argv.slice(2), process.env);
  if (options.describe) process.stdout.write(`${JSON.stringify(thisRelease())}\n`);
  else
    await waitForDiskSpace((onReady) => run(options, onReady), {
      print: (text) => process.stderr.write(`${text}\n`),
    });
  if (!options.json && !options.describe) process.stdout.write('Gamekeeper has stopped.\n');
  process.exit(EXIT.ok);
} catch (error) {
  const { message, exitCode } = explainFailure(error);
  process.stderr.write(`${showUnprintable(message)}\n`);
  process.exit(exitCode);
}

async function run(options: DaemonOptions, onReady: () => void): Promise<void> {
  const print = (text: string) => options.json || process.stdout.write(`${showUnprintable(text)}\n`);
  const home = homeAt(options.home);
  const initial = await readSettings(home);

  // Disposed in the reverse order, however this function ends.
  await using cleanup = new AsyncDisposableStack();
  const shutdown = createShutdown(print);
  const manager = serviceManager(process.env);
  cleanup.defer(obeySignals(shutdown, { print, now: () => performance.now(), manager }));
  await takeHome(home, cleanup);
  const daemon = await composeDaemon({ home, initial, shutdown, cleanup });
  const { registry, offers, readyFile, log } = daemon;
  const admin = await startDaemon(daemon);

  const listeners = offers.listeners();
  const record = { pid: process.pid, version: VERSION, ...listeners };
  cleanup.defer(readyFile.remove);
  await readyFile.announce(record);
  const running = runningServers(registry);
  print(welcome({ panel: listeners.panel, admin, running, isService: manager !== undefined }));
  if (options.json) process.stdout.write(`${JSON.stringify({ ...record, ...(admin && { admin: admin.shown }) })}\n`);
  log.info(listeners, 'ready');
  onReady();

  void resumeWork(daemon, shutdown.begun);
  void replaceOutdated({ ...daemon, signal: shutdown.begun });
  await shutdown.requested;
  await end(daemon, shutdown);
}

/** Reads the settings and checks everything that can be wrong before anything is created. */
async function readSettings(home: Home): Promise<Settings> {
  await checkHome(home);
  if (!existsSync(home.database)) chosenPassword(process.env);
  const settings = await loadSettings(home.settings, process.env);
  checkSettings(settings);
  return settings;
}

async function end({ home, registry, supervisors, jobs, log }: Daemon, shutdown: Shutdown): Promise<void> {
  // Servers that stop from now on should start again with the next daemon.
  registry.freezeRan();
  log.info({ withServers: shutdown.withServers }, 'shutting down');
  supervisors.close();
  await supervisors.settled();
  await jobs.stop();
  if (shutdown.withServers) await stopServers(shutdown, { home, registry, supervisors });
  const running = runningServers(registry);
  if (running.length > 0) shutdown.say(`Still running without Gamekeeper: ${running.join(', ')}.`);
}

function runningServers(registry: Registry): string[] {
  return registry.all().flatMap(({ config, runtime }) => (isLive(runtime.phase) ? [config.name] : []));
}
