import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { loadSettings } from '../../../shared/node/files/settings-file.ts';
import { isNewer, THIS_SCHEMA } from '../../store/schema.ts';
import { type Check, type Finding, ok, problem, warning } from './finding.ts';
import { nearestFolder } from './nearest-folder.ts';
import { readStoredData } from './stored-data.ts';

const WRITABLE_BY_OTHERS = 0o022;
const OPEN_TO_OTHERS = 0o077;
/** May look at everybody's, and installs services that run as somebody else. */
const ROOT = 0;
/** More is no mere matter of a clock's drift. Milliseconds. */
const CLOCK_SLACK_MS = 60_000;

export const checkFolder: Check = async ({ home, exists, env }) => {
  const check = 'Data directory';
  const writable = (folder: string) =>
    access(folder, constants.W_OK | constants.X_OK).then(
      () => true,
      () => false, // whatever the reason is, this user cannot
    );
  if (!(await writable(await nearestFolder(home.root))))
    return [
      problem(check, `${home.root} cannot be written to by this user.`, 'Make it writable, or set GAMEKEEPER_HOME.'),
    ];
  if (!exists) return [ok(check, `${home.root}, made by the first start`)];
  if (process.platform === 'win32') return [ok(check, home.root)];
  const { uid, mode } = await stat(home.root);
  const own = process.getuid?.();
  if (own !== undefined && uid !== own && own !== ROOT)
    return [
      problem(
        check,
        `${home.root} belongs to another user (uid ${uid}).`,
        `Look at it as that user: sudo --user='#${uid}' npx gamekeeper doctor --home '${home.root}'. If it is to be yours: chown -R ${env.USER ?? own} '${home.root}'`,
      ),
    ];
  const fix = `chmod 700 '${home.root}'`;
  if (mode & WRITABLE_BY_OTHERS) return [problem(check, `Others may write to ${home.root}.`, fix)];
  return [mode & OPEN_TO_OTHERS ? warning(check, `Others may look into ${home.root}.`, fix) : ok(check, home.root)];
};

/** What holds secrets, and the sockets by which whoever may open them is an administrator. */
export const checkPrivateFiles: Check = async ({ home, exists }) => {
  if (process.platform === 'win32' || !exists) return [];
  // Where others cannot come in, what is inside may be as it is.
  if (((await stat(home.root)).mode & OPEN_TO_OTHERS) === 0) return [];
  const findings: Finding[] = [];
  for (const file of [home.run, home.settings, home.database]) {
    const stats = await stat(file).catch(() => undefined); // not made yet
    if (stats && stats.mode & OPEN_TO_OTHERS)
      findings.push(problem('Privacy', `${file} is open to others.`, `chmod go= '${file}'`));
  }
  return findings;
};

export const checkSettingsFile: Check = async ({ home, env }) => {
  try {
    await loadSettings(home.settings, env);
    return [ok('Settings', home.settings)];
  } catch (error) {
    return [problem('Settings', (error as Error).message, 'Correct the file; docs/operating.md says what is allowed.')];
  }
};

export const checkDatabase: Check = ({ home }) => {
  const check = 'Database';
  const fix = `End Gamekeeper, keep ${home.database} for later, and put a copy of it in its place, such as gamekeeper.db.before-upgrade.`;
  try {
    const stored = readStoredData(home.database);
    if (!stored) return [ok(check, 'made by the first start')];
    const { faults, schema, instances } = stored;
    if (faults.length > 0) return [problem(check, `It is damaged: ${faults.join('; ')}`, fix)];
    if (isNewer(schema, THIS_SCHEMA))
      return [problem(check, 'It was written by a newer version of Gamekeeper.', 'Use that version, or a newer one.')];
    return [ok(check, `whole; ${instances.length} ${instances.length === 1 ? 'server' : 'servers'}`)];
  } catch (error) {
    return [problem(check, `It cannot be read: ${(error as Error).message}`, fix)];
  }
};

export const checkBackupFolder: Check = async ({ home, settings }) => {
  const folder = settings?.backups.directory ?? home.backups;
  const isWritable = await access(await nearestFolder(folder), constants.W_OK | constants.X_OK).then(
    () => true,
    () => false, // read-only, or not ours: the same to a backup
  );
  return [
    isWritable
      ? ok('Backups', folder)
      : problem(
          'Backups',
          `${folder} cannot be written to.`,
          'Make it writable for this user, or set another backups.directory.',
        ),
  ];
};

/** A clock that was set back makes tokens, sessions and schedules wrong: then files are from the future. */
export const checkClock: Check = async ({ home, now }) => {
  const times = await Promise.all(
    [home.database, home.settings, `${home.logs}/daemon.log`].map((file) =>
      stat(file).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0, // not there
      ),
    ),
  );
  const ahead = Math.max(...times) - now;
  return [
    ahead > CLOCK_SLACK_MS
      ? problem(
          'Clock',
          `It is ${Math.round(ahead / 60_000)} min behind what Gamekeeper wrote last.`,
          'Set the clock; have the machine keep it by NTP.',
        )
      : ok('Clock', new Date(now).toISOString()),
  ];
};
