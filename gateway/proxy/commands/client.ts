import type { Command } from 'commander';
import { StartupError } from '../../../shared/node/processes/startup-error.ts';
import { type ClientInfo, type CreatedClient, createClients } from '../oauth/clients.ts';
import { createGrants } from '../oauth/grants.ts';
import { noLinks } from '../proxy.ts';
import { configOf } from './config-of.ts';
import { withStore } from './with-store.ts';

interface CreateOptions {
  name: string;
  redirectUri: string[];
  public?: boolean;
  json?: boolean;
}

export function addClient(program: Command): void {
  const client = program.command('client').description('Manage the programs that can ask for access');
  client
    .command('create')
    .description('Register a program')
    .requiredOption('--name <name>', 'What people are asked to allow')
    .requiredOption('--redirect-uri <uri...>', 'Where people are sent afterwards')
    .option('--public', 'It cannot keep a secret: it runs in a browser, on a phone or a desktop')
    .option('--json', 'Print JSON')
    .action(async ({ name, redirectUri, public: isPublic = false, json }: CreateOptions, command: Command) => {
      const created = await withStore(configOf(command), ({ database, vault }) =>
        createClients({ database, vault, now: Date.now }).create({ name, redirectUris: redirectUri, isPublic }),
      );
      process.stdout.write(`${json ? JSON.stringify(created) : describe(name, created)}\n`);
    });
  client
    .command('list')
    .description('List the programs, also those that people have registered')
    .option('--json', 'Print JSON')
    .action(async ({ json }: { json?: boolean }, command: Command) => {
      const clients = await withStore(configOf(command), ({ database, vault }) =>
        createClients({ database, vault, now: Date.now }).list(),
      );
      process.stdout.write(`${json ? JSON.stringify(clients) : describeAll(clients)}\n`);
    });
  client
    .command('remove')
    .description('Remove a program, and end the access that people have given it')
    .argument('<client-id>', 'As "client list" shows it')
    .action(async (id: string, _options, command: Command) => {
      await withStore(configOf(command), async ({ database, vault }) => {
        if (!(await createClients({ database, vault, now: Date.now }).remove(id)))
          throw new StartupError(`There is no program "${id}".\nList them with: gamekeeper proxy client list`);
        const grants = createGrants({ database, vault, links: noLinks(), now: Date.now });
        await grants.revokeOfClient(id, { alsoOlder: true });
      });
      process.stdout.write(`Removed the program "${id}".\n`);
    });
}

function describe(name: string, { client_id: id, client_secret: secret }: CreatedClient): string {
  const lines = [`Registered "${name}".`, `  client_id      ${id}`];
  if (secret !== undefined) lines.push(`  client_secret  ${secret}`, 'The secret is shown only once.');
  return lines.join('\n');
}

function describeAll(clients: readonly ClientInfo[]): string {
  if (clients.length === 0)
    return 'There are no programs. Register one with: gamekeeper proxy client create --name <name> --redirect-uri <uri>';
  const lines = clients.map(({ id, name, owner, redirectUris }) =>
    [id, name, owner === undefined ? 'by you' : `by ${owner}`, redirectUris.join(' ')].join('  '),
  );
  return lines.join('\n');
}
