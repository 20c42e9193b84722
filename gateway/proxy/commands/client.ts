import type { Command } from 'commander';
import { createClients } from '../oauth/clients.ts';
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
}

function describe(
  name: string,
  { client_id: id, client_secret: secret }: { client_id: string; client_secret?: string },
): string {
  const lines = [`Registered "${name}".`, `  client_id      ${id}`];
  if (secret !== undefined) lines.push(`  client_secret  ${secret}`, 'The secret is shown only once.');
  return lines.join('\n');
}
