import { type Command, InvalidArgumentError } from 'commander';
import type { SettingsAnswer } from '../../../shared/schema/settings-document.ts';
import { withDaemon } from '../api/daemon-client.ts';
import { type Session, sessionOf, withCommonOptions } from '../api/session.ts';

export function addRemote(program: Command): void {
  withCommonOptions(program.command('remote'))
    .description('Turn Remote Control, the panel and the API, on or off')
    .argument('<on|off>', 'on or off', parseSwitch)
    .action(async (enabled: boolean, _options, command: Command) => {
      const session = sessionOf(command);
      const body = { remoteControl: { enabled } };
      const { body: settings } = await session.api.request<SettingsAnswer>('PUT', '/api/settings', { body });
      const words = session.json ? '' : await stateOf(session);
      session.answer(settings, () => words);
    });
}

async function stateOf({ home }: Session): Promise<string> {
  const { panel, remote } = await withDaemon(home, (daemon) => daemon.call.info());
  if (panel === null) return 'Remote Control is off. The servers keep running, and the command line still works.';
  return ['Remote Control is on.', `Panel   ${panel}`, `Remote  ${remote}`].join('\n');
}

function parseSwitch(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new InvalidArgumentError('Use on or off.');
  return text === 'on';
}
