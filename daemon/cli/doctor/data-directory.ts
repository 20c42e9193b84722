import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { loadSettings } from '../../../shared/node/files/settings-file.ts';
import { isNewer, THIS_SCHEMA } from '../../store/schema.ts';
import { type Check, type Finding, ok, problem, warning } from './finding.ts';
import { nearestFolder } from './nearest-folder.ts';
import { readStoredData } from './stored-data.ts';

const WRITABLE_BY_OTHERS = 0o022;
const OPEN_TO_OTHERS = 0o077;
/** Without the right to pass through, which servers of other users need. */
const READABLE_BY_OTHERS = 0o066;
/** root can check the data directory of any user, and installs services that run as another user. */
const ROOT = 0;
/** More than a clock's drift. Milliseconds. */
const CLOCK_SLACK_MS = 60_000;

export const checkFolder: Check = async ({ home, exists, env }) => {
  const check = 'Data directory';
  const writable = (folder: string) =>
    access(folder, constants.W_OK | constants.X_OK).then(
      () => true,
      () => false,
    );
  if (!(await writable(await nearestFolder(home.root))))
    return [problem(check, `This user cannot write to ${home.root}.`, 'Make it writable, or set GAMEKEEPER_HOME.')];
  if (!exists) return [ok(check, `${home.root}, created by the first start`)];
  if (process.platform === 'win32') return [ok(check, home.root)];
  const { uid, mode } = await stat(home.root);
  const own = process.getuid?.();
  if (own !== undefined && uid !== own && own !== ROOT)
    return [
      problem(
        check,
        `${home.root} belongs to another user (uid ${uid}).`,
        `Check it as that user: sudo --user='#${uid}' npx gamekeeper doctor --home '${home.root}'. If it should be yours: chown -R ${env.USER ?? own} '${home.root}'`,
      ),
    ];
  const fix = `chmod 700 '${home.root}'`;
  if (mode & WRITABLE_BY_OTHERS) return [problem(check, `Other users can write to ${home.root}.`, fix)];
  return [mode & READABLE_BY_OTHERS ? warning(check, `Other users can read ${home.root}.`, fix) : ok(check, home.root)];
};

/** Secrets, and sockets that give administrator access. */
export const checkPrivateFiles: Check = async ({ home, exists }) => {
  if (process.platform === 'win32' || !exists) return [];
  // Others cannot enter the folder, so the modes in it do not matter.
  if (((await stat(home.root)).mode & OPEN_TO_OTHERS) === 0) return [];
  const findings: Finding[] = [];
  for (const file of [home.run, home.settings, home.database]) {
    const stats = await stat(file).catch(() => undefined); // not created yet
    if (stats && stats.mode & OPEN_TO_OTHERS)
      findings.push(problem('Privacy', `Other users can access ${file}.`, `chmod go= '${file}'`));
  }
  return findings;
};

export const checkSettingsFile: Check = async ({ home, env }) => {
  try {
    await loadSettings(home.settings, env);
    return [ok('Settings', home.settings)];
  } catch (error) {
    return [problem('Settings', (error as Error).message, 'Correct the file. See docs/operating.md.')];
  }
};

export const checkDatabase: Check = ({ home }) => {
  const check = 'Database';
  const fix = `Stop Gamekeeper, set ${home.database} aside, and put a copy in its place, such as gamekeeper.db.before-upgrade.`;
  try {
    const stored = readStoredData(home.database);
    if (!stored) return [ok(check, 'created by the first start')];
    const { faults, schema, instances } = stored;
    if (faults.length > 0) return [problem(check, `It is damaged: ${faults.join('; ')}`, fix)];
    if (isNewer(schema, THIS_SCHEMA))
      return [problem(check, 'It was written by a newer version of Gamekeeper.', 'Use that version or a newer one.')];
    return [ok(check, `intact, ${instances.length} ${instances.length === 1 ? 'server' : 'servers'}`)];
  } catch (error) {
    return [problem(check, `It cannot be read: ${(error as Error).message}`, fix)];
  }
};

export const checkBackupFolder: Check = async ({ home, settings }) => {
  const folder = settings?.backups.directory ?? home.backups;
  const isWritable = await access(await nearestFolder(folder), constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  return [
    isWritable
      ? ok('Backups', folder)
      : problem(
          'Backups',
          `This user cannot write to ${folder}.`,
          'Make it writable, or set another backups.directory.',
        ),
  ];
};

/** A clock that was set back leaves files dated in the future, and breaks tokens, sessions and schedules. */
export const checkClock: Check = async ({ home, now }) => {
  const times = await Promise.all(
    [home.database, home.settings, `${home.logs}/daemon.log`].map((file) =>
      stat(file).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0, // does not exist
      ),
    ),
  );
  const ahead = Math.max(...times) - now;
  return [
    ahead > CLOCK_SLACK_MS
      ? problem(
          'Clock',
          `It is ${Math.round(ahead / 60_000)} min behind the last change by Gamekeeper.`,
          'Set the clock, and synchronise it by NTP.',
        )
      : ok('Clock', new Date(now).toISOString()),
  ];
};
