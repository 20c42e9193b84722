import type { Command } from 'commander';
import { StartupError } from '../../../shared/node/processes/startup-error.ts';
import { systemdUnit } from './systemd-unit.ts';

export function addUnit(program: Command): void {
  program
    .command('unit')
    .description('Print a unit for systemd that runs the proxy as a service')
    .action(() => {
      if (process.platform !== 'linux') throw new StartupError('systemd exists only on Linux.');
      const [node, entry = ''] = process.argv;
      process.stdout.write(systemdUnit([node ?? process.execPath, ...process.execArgv, entry]));
    });
}
