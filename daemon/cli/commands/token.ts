import type { Command } from 'commander';
import type { CreatedToken, TokenInfo } from '../../../shared/schema/credentials.ts';
import { sessionOf, withCommonOptions } from '../api/session.ts';
import { parseDuration, sayTime } from '../terminal/quantities.ts';
import { type Column, table } from '../terminal/table.ts';

const COLUMNS: readonly Column<TokenInfo>[] = [
  { title: 'ID', cell: ({ id }) => id },
  { title: 'NAME', cell: ({ name }) => name },
  { title: 'MAY', cell: ({ scopes }) => scopes.join(' ') },
  { title: 'MADE BY', cell: ({ createdBy }) => createdBy },
  { title: 'UNTIL', cell: ({ expiresAt }) => sayTime(expiresAt) },
];

export function addToken(program: Command): void {
  const token = program.command('token').description('bearer tokens for programs that use the API');

  withCommonOptions(token.command('create'))
    .description('mint a token; it is shown this once')
    .requiredOption('--name <name>', 'what it is for')
    .option('--scope <scope...>', 'what it may do, such as servers:read (default: everything)')
    .option('--ttl <time>', 'how long it is valid, such as 12h or 30d (default: 30d)', parseDuration)
    .action(async ({ name, scope, ttl }: { name: string; scope?: string[]; ttl?: number }, command: Command) => {
      const session = sessionOf(command);
      const body = { name, ...(scope && { scopes: scope }), ...(ttl !== undefined && { ttlSeconds: ttl }) };
      const created = (await session.api.request<CreatedToken>('POST', '/api/tokens', { body })).body;
      session.note(
        `Token ${created.id}, valid until ${sayTime(created.expiresAt)}. It is shown this once; send it as "Authorization: Bearer <token>".`,
      );
      // Alone on stdout, so that a script can take it.
      session.answer(created, (document) => document.token);
    });

  withCommonOptions(token.command('list'))
    .description('list the valid tokens')
    .action(async (_options, command: Command) => {
      const session = sessionOf(command);
      const { body } = await session.api.request<TokenInfo[]>('GET', '/api/tokens');
      session.answer(body, (tokens) => (tokens.length === 0 ? 'There are no tokens.' : table(COLUMNS, tokens)));
    });

  withCommonOptions(token.command('revoke'))
    .description('make a token worthless at once')
    .argument('<id>', 'see: gamekeeper token list')
    .action(async (id: string, _options, command: Command) => {
      const session = sessionOf(command);
      await session.api.request('DELETE', `/api/tokens/${encodeURIComponent(id)}`);
      session.answer({ success: true, message: `Token ${id} is revoked.` }, ({ message }) => message);
    });
}
