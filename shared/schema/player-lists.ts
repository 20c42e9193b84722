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

export const seenPlayer = z
  .object({
    name,
    lastSeen: z.iso.datetime(),
    playSeconds: z.int().describe('On this server, as far as Gamekeeper observed it'),
    online: z.boolean(),
  })
  .meta({ id: 'SeenPlayer' });
export type SeenPlayer = z.infer<typeof seenPlayer>;

/** So many commands take a server some seconds, unless it looks each player up. */
const MOST_ADDED = 200;

export const addPlayers = z
  .strictObject({ names: z.array(z.string().min(1).max(64)).min(1).max(MOST_ADDED) })
  .meta({ id: 'AddPlayers' });

export const addedPlayers = z
  .object({
    added: z.array(name),
    failed: z.array(z.object({ name, detail: z.string() })).describe('Who was not added, and why'),
  })
  .meta({ id: 'AddedPlayers' });
export type AddedPlayers = z.infer<typeof addedPlayers>;
