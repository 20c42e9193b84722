import type { Listeners } from '../../shared/contract/daemon/settings.ts';
import type { FirstAdmin } from './first-run.ts';

/** What the person at the terminal reads when everything is up. */
export function welcome({
  panel,
  admin,
  running,
  isService,
}: {
  panel: Listeners['panel'];
  /** The administrator that was just made, on a first run. */
  admin: FirstAdmin | undefined;
  /** Names of the servers that were running already. */
  running: readonly string[];
  /** Nobody sits at a terminal: this is for a log. */
  isService: boolean;
}): string {
  const lines = [
    panel === null
      ? 'Gamekeeper is ready. Remote Control is off, so there is no address; "npx gamekeeper remote on" switches it on.'
      : `Gamekeeper is ready: ${panel}`,
  ];
  if (running.length > 0) lines.push(`Still running from before: ${running.join(', ')}.`);
  if (admin) lines.push('', ...credentialsOf(admin.shown));
  if (admin && !isService) lines.push('', ...NEXT_STEPS);
  return lines.join('\n');
}

function credentialsOf({ username, password }: FirstAdmin['shown']): string[] {
  if (password === undefined) return [`Sign in as ${username} with the password that GAMEKEEPER_ADMIN_PASSWORD holds.`];
  return [
    'Sign in with',
    `  user      ${username}`,
    `  password  ${password}`,
    'The password is shown this once; you choose your own when you sign in.',
  ];
}

const NEXT_STEPS = [
  'To try it out, type in a second terminal:',
  '  npx gamekeeper create --software demo --name Demo',
  '  npx gamekeeper start demo',
  '  npx gamekeeper console demo',
  'Ctrl-C here stops the servers and then Gamekeeper.',
];
