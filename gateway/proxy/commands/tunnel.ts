import type { Command } from 'commander';
import { StartupError } from '../../../shared/node/processes/startup-error.ts';
import { createTunnels, type ListedTunnel } from '../edge/tunnels/tunnels.ts';
import { configOf } from './config-of.ts';
import { withStore } from './with-store.ts';

const GAP = '  ';

/** Adds the commands for servers that players reach through this proxy. They work whether the proxy runs or not. */
export function addTunnel(program: Command): void {
  const tunnel = program.command('tunnel').description('Manage the addresses of servers at this proxy');
  tunnel
    .command('list')
    .description('List the addresses, and whose they are')
    .option('--json', 'Print JSON')
    .action(async ({ json }: { json?: boolean }, command: Command) => {
      const tunnels = await withStore(configOf(command), ({ database }) => createTunnels(database, Date.now).list());
      process.stdout.write(`${json ? JSON.stringify(tunnels.map(shown)) : describe(tunnels)}\n`);
    });

  const change = (name: 'suspend' | 'resume', description: string, done: string) =>
    tunnel
      .command(name)
      .description(description)
      .argument('<address>', 'Such as friends.play.example.net')
      .action(async (address: string, _options, command: Command) => {
        const found = await withStore(configOf(command), ({ database }) =>
          createTunnels(database, Date.now).suspend(address.toLowerCase(), name === 'suspend'),
        );
        if (!found)
          throw new StartupError(
            `No server has the address "${address}".\nList the addresses with: gamekeeper proxy tunnel list`,
          );
        process.stdout.write(`${done.replaceAll('%', address)}\n`);
      });
  change(
    'suspend',
    'Disconnect the players of a server, and refuse others until it is resumed',
    'Suspended %. To undo this: gamekeeper proxy tunnel resume %',
  );
  change('resume', 'Let players connect to a suspended server again', 'Resumed %.');
}

function shown({ label, suffix, edition, account, computer, instance, isSuspended, usedAt }: ListedTunnel) {
  return { address: `${label}.${suffix}`, edition, account, computer, server: instance, isSuspended, usedAt };
}

function describe(tunnels: readonly ListedTunnel[]): string {
  if (tunnels.length === 0) return 'No server has an address here.';
  const rows = tunnels.map((tunnel) => {
    const { address, edition, account, computer, server, isSuspended, usedAt } = shown(tunnel);
    return [
      address,
      edition,
      account,
      `${computer}: ${server}`,
      `used ${usedAt.toISOString().slice(0, 10)}`,
      isSuspended ? 'suspended' : '',
    ];
  });
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n');
}
