import * as z from 'zod';

/** The name that Mojang gives a texture: its hash, without leading zeros. */
export const textureName = z.string().regex(/^[0-9a-f]{32,64}$/);

export const playerSkins = z
  .object({
    enabled: z.boolean().describe('The setting `players.skins`'),
    players: z.array(z.object({ name: z.string(), texture: textureName })),
    pending: z.boolean().describe('Whether further skins are being fetched: ask again in some seconds'),
  })
  .meta({ id: 'PlayerSkins', description: 'The skins that Gamekeeper has of the players whom a server knows.' });
export type PlayerSkins = z.infer<typeof playerSkins>;

/** The skins of accounts, by UUID. */
export interface KnownSkins {
  found: { uuid: string; texture: string }[];
  pending: boolean;
}
