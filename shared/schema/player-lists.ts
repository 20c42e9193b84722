import * as z from 'zod';

const name = z.string();
const uuid = z.string().optional();

export const ban = z
  .object({
    name,
    uuid,
    reason: z.string().optional(),
    source: z.string().optional().describe('Who banned the player'),
    createdAt: z.iso.datetime().optional(),
    expiresAt: z.iso.datetime().optional().describe('Absent: permanent'),
  })
  .meta({ id: 'Ban' });
export type Ban = z.infer<typeof ban>;

export const operator = z
  .object({ name, uuid, level: z.int().optional(), bypassesPlayerLimit: z.boolean().optional() })
  .meta({ id: 'Operator' });
export type Operator = z.infer<typeof operator>;

export const allowedPlayer = z.object({ name, uuid }).meta({ id: 'AllowedPlayer' });
export type AllowedPlayer = z.infer<typeof allowedPlayer>;
