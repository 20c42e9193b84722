import * as z from 'zod';
import { displayName } from '../../../../shared/schema/printable-line.ts';

export const DEFAULT_DAYS = 7;

/** What is entered on a page or at the command line. */
export const newInvitation = z.strictObject({
  note: z.literal('').or(displayName),
  isAdmin: z.boolean(),
  days: z.coerce.number().int().min(1).max(30),
});

/** The link to send. */
export function inviteLink(issuer: string, token: string): string {
  return `${issuer}/invite/${token}`;
}
