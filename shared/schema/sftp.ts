import * as z from 'zod';

const listening = z.object({
  host: z.string(),
  port: z.int(),
  fingerprint: z.string().describe('Of the host key, which clients show when they connect for the first time'),
});
export type SftpListening = z.infer<typeof listening>;

export const sftpState = z
  .object({
    enabled: z.boolean(),
    listening: listening.nullable().describe('`null` while it does not run'),
  })
  .meta({ id: 'SftpState' });
export type SftpState = z.infer<typeof sftpState>;
