import * as z from 'zod';
import { displayName } from './printable-line.ts';

export const sshKey = z
  .object({
    id: z.string(),
    label: z.string(),
    type: z.string().describe('Such as `ssh-ed25519`'),
    fingerprint: z.string().describe('As of `ssh-keygen -l`'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'SshKey' });
export type SshKey = z.infer<typeof sshKey>;

export const newSshKey = z
  .strictObject({
    publicKey: z
      .string()
      .max(8_192)
      .describe('A line of an OpenSSH `.pub` file: Ed25519, ECDSA, or RSA of at least 2,048 bits'),
    label: displayName.optional().describe('Default: the comment of the key'),
    password: z.string().min(1).max(256).optional().describe('Your current password'),
    username: z.string().min(1).max(256).optional().describe('Another user; on the command line only'),
  })
  .meta({ id: 'NewSshKey' });
export type NewSshKey = z.infer<typeof newSshKey>;

export const ofSshKeys = z.object({
  username: z.string().min(1).max(256).optional().describe('Another user; for administrators'),
});
