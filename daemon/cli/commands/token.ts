import type { Command } from 'commander';
import type { CreatedToken, TokenInfo } from '../../../shared/schema/credentials.ts';
import { sessionOf, withCommonOptions } from '../api/session.ts';
import { formatTime, parseDuration } from '../terminal/quantities.ts';
import { type Column, table } from '../terminal/table.ts';

const COLUMNS: readonly Column<TokenInfo>[] = [
  { title: 'ID', cell: ({ id }) => id },
  { title: 'NAME', cell: ({ name }) => name },
  { title: 'SCOPES', cell: ({ scopes }) => scopes.join(' ') },
  { title: 'CREATED BY', cell: ({ createdBy }) => createdBy },
  { title: 'EXPIRES', cell: ({ expiresAt }) => formatTime(expiresAt) },
];

export function addToken(program: Command): void {
  const token = program.command('token').description('Manage bearer tokens for programs that use the API');

  withCommonOptions(token.command('create'))
    .description('Create a token; it is shown only once')
    .requiredOption('--name <name>', 'What the token is for')
    .option('--scope <scope...>', 'Scopes, such as servers:read (default: all)')
    .option('--ttl <time>', 'How long it is valid, such as 12h or 30d (default: 30d)', parseDuration)
    .action(async ({ name, scope, ttl }: { name: string; scope?: string[]; ttl?: number }, command: Command) => {
      const session = sessionOf(command);
      const body = { name, ...(scope && { scopes: scope }), ...(ttl !== undefined && { ttlSeconds: ttl }) };
      const created = (await session.api.request<CreatedToken>('POST', '/api/tokens', { body })).body;
      session.note(
        `Created token ${created.id}, valid until ${formatTime(created.expiresAt)}. It is shown only once. Send it as "Authorization: Bearer <token>".`,
      );
      // Only the token on stdout, for scripts.
      session.answer(created, (document) => document.token);
    });

  withCommonOptions(token.command('list'))
    .description('List the valid tokens')
    .action(async (_options, command: Command) => {
      const session = sessionOf(command);
      const { body } = await session.api.request<TokenInfo[]>('GET', '/api/tokens');
      session.answer(body, (tokens) => (tokens.length === 0 ? 'There are no tokens.' : table(COLUMNS, tokens)));
    });

  withCommonOptions(token.command('revoke'))
    .description('Revoke a token')
    .argument('<id>', 'Id of the token; see: gamekeeper token list')
    .action(async (id: string, _options, command: Command) => {
      const session = sessionOf(command);
      await session.api.request('DELETE', `/api/tokens/${encodeURIComponent(id)}`);
      session.answer({ success: true, message: `Revoked token ${id}.` }, ({ message }) => message);
    });
}
