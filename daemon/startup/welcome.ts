import type { Listeners } from '../../shared/contract/daemon/settings.ts';
import type { FirstAdmin } from './first-run.ts';

/** Returns what the terminal shows when Gamekeeper is ready. */
export function welcome({
  panel,
  admin,
  running,
  isService,
}: {
  panel: Listeners['panel'];
  /** Set on a first run: the administrator that was just created. */
  admin: FirstAdmin | undefined;
  /** Names of the servers that are already running. */
  running: readonly string[];
  /** The text goes to a log, not to a person at a terminal. */
  isService: boolean;
}): string {
  const lines = [
    panel === null
      ? 'Gamekeeper is ready. Remote Control is off, so there is no address. Turn it on: npx gamekeeper remote on'
      : `Gamekeeper is ready: ${panel}`,
  ];
  if (running.length > 0) lines.push(`Still running: ${running.join(', ')}.`);
  if (admin) lines.push('', ...credentialsOf(admin.shown));
  if (admin && !isService) lines.push('', ...NEXT_STEPS);
  return lines.join('\n');
}

function credentialsOf({ username, password }: FirstAdmin['shown']): string[] {
  if (password === undefined) return [`Sign in as ${username} with the password from GAMEKEEPER_ADMIN_PASSWORD.`];
  return [
    'Sign in with:',
    `  user      ${username}`,
    `  password  ${password}`,
    'This password is shown only once. You choose your own when you sign in.',
  ];
}

const NEXT_STEPS = [
  'To try it out, open a second terminal and run:',
  '  npx gamekeeper create --software demo --name Demo',
  '  npx gamekeeper start demo',
  '  npx gamekeeper console demo',
  'Press Ctrl-C here to stop the servers and Gamekeeper.',
];
