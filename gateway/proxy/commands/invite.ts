import type { Command } from 'commander';
import { StartupError } from '../../../shared/node/processes/startup-error.ts';
import { COMMAND_LINE } from '../accounts/audit.ts';
import { createInvitations, type Invitation } from '../accounts/invitations/invitations.ts';
import { DEFAULT_DAYS, inviteLink, newInvitation } from '../accounts/invitations/new-invitation.ts';
import type { ProxyConfig } from '../startup/config.ts';
import { configOf } from './config-of.ts';
import { issuerOf } from './issuer-of.ts';
import { wrongUsage } from './password-from-stdin.ts';
import { withStore } from './with-store.ts';

interface InviteOptions {
  note: string;
  admin?: boolean;
  days: string;
  json?: boolean;
}

const withInvitations = <T>(
  config: ProxyConfig,
  work: (invitations: ReturnType<typeof createInvitations>) => Promise<T>,
): Promise<T> => withStore(config, (store) => work(createInvitations({ ...store, now: Date.now })));

/** Adds the commands for links with which people make their own account. */
export function addInvite(program: Command): void {
  const invite = program
    .command('invite')
    .description('Make a link with which somebody creates their own account')
    .option('--note <note>', 'For whom it is; only you see this', '')
    .option('--admin', 'They may manage accounts')
    .option('--days <days>', 'How long it is valid, 1 to 30', String(DEFAULT_DAYS))
    .option('--json', 'Print JSON')
    .action(async ({ note, admin: isAdmin = false, days, json }: InviteOptions, command: Command) => {
      const { data, error } = newInvitation.safeParse({ note, isAdmin, days });
      if (error) throw wrongUsage('--note must be one line of up to 64 characters, and --days a number from 1 to 30.');
      const config = configOf(command);
      const issuer = await issuerOf(config);
      const created = await withInvitations(config, (invitations) => invitations.create(data, { name: COMMAND_LINE }));
      if (!created) throw new Error('an invitation without an administrator was refused');
      const { token, ...invitation } = created;
      const link = inviteLink(issuer, token);
      process.stdout.write(json ? `${JSON.stringify({ ...invitation, link })}\n` : describeNew(invitation, link));
    });

  invite
    .command('list')
    .description('List the invitations that can be used')
    .action(async (_options, command: Command) => {
      const { json } = command.optsWithGlobals<{ json?: boolean }>();
      const open = await withInvitations(configOf(command), (invitations) => invitations.list());
      process.stdout.write(json ? `${JSON.stringify(open)}\n` : describe(open));
    });

  invite
    .command('revoke')
    .description('Revoke an invitation')
    .argument('<id>', 'As "gamekeeper proxy invite list" shows it')
    .action(async (id: string, _options, command: Command) => {
      const revoked = await withInvitations(configOf(command), (invitations) => invitations.revoke(id));
      if (!revoked)
        throw new StartupError(`There is no open invitation ${id}.\nList them with: gamekeeper proxy invite list`);
      process.stdout.write(`Revoked the invitation ${id}.\n`);
    });
}

function describeNew({ id, expiresAt }: Invitation, link: string): string {
  return `Send this link to the person. It makes one account, and is valid until ${dayOf(expiresAt)}.\n\n  ${link}\n\nTo revoke it: gamekeeper proxy invite revoke ${id}\n`;
}

function describe(open: readonly Invitation[]): string {
  if (open.length === 0) return 'There are no open invitations.\n';
  return open
    .map(({ id, note, isAdmin, invitedBy, expiresAt }) =>
      [id, `until ${dayOf(expiresAt)}`, `by ${invitedBy}`, isAdmin && 'administrator', note].filter(Boolean).join('  '),
    )
    .map((line) => `${line}\n`)
    .join('');
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
