import type { Test } from 'tap';
import { freePort } from '../machine/free-port.ts';
import { until } from '../machine/until.ts';
import { type Gamekeeper, startGamekeeper } from './gamekeeper.ts';

/** Its terminal echoes what is typed only after `stty echo`. */
const SCRIPT = `stty -echo; echo Ready; while read -r command rest; do
  case $command in
    print) printf '%b\\n' "$rest" ;;
    flood) seq -f '[12:00:00 INFO]: line %g' "$rest"; echo "Flooded the console" ;;
    stty) stty "$rest" ;;
    stop) exit ;;
  esac
done`;

/** A Gamekeeper with a running server `printer`. */
export interface Printer extends Gamekeeper {
  /** Lets the server print these lines; `\t` and `\033` in them are escapes. */
  print(...lines: string[]): Promise<void>;
}

/**
 * Starts Gamekeeper with a running server `printer`, which prints what it is told: `print <text>`, and `flood <lines>`, which prints lines
 * without colours and then "Flooded the console".
 */
export async function startWithPrinter(t: Test): Promise<Printer> {
  const gamekeeper = await startGamekeeper(t);
  const { api, waitForStatus } = gamekeeper;
  await api('POST', '/instances', {
    ...{ software: 'custom', name: 'Printer', port: await freePort(), launch: { command: ['bash', '-c', SCRIPT] } },
    ...{ readyPattern: '^Ready$', stopCommand: 'stop' },
  });
  await api('POST', '/instances/printer/start');
  await waitForStatus('printer', 'running');
  await until('the jobs can be listed', async () => (await api('GET', '/jobs')).status === 200);
  return {
    ...gamekeeper,
    async print(...lines) {
      await api('POST', '/instances/printer/commands', { command: `print ${lines.join('\\n')}` });
    },
  };
}
