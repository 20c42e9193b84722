import * as z from 'zod';

const MOST_RULES = 20;

/** One word, so that it cannot add anything to a command. */
const name = z.string().regex(/^[A-Za-z][A-Za-z0-9_.:-]{0,99}$/, 'must be the name of a game rule');

const value = z.union([z.boolean(), z.int32()]);

export const gamerule = z
  .object({
    name: z.string().describe('As the running version calls it'),
    key: z.string().describe('Its name in the newest version that has it, the same for every server'),
    known: z
      .boolean()
      .describe('Whether Gamekeeper describes it. Others are rules of mods, and those that few owners need'),
    type: z.enum(['boolean', 'integer']),
    value: value.describe('What the running server reports'),
    minimum: z.int().optional(),
    maximum: z.int().optional(),
    description: z.string().optional(),
  })
  .meta({ id: 'Gamerule' });
export type Gamerule = z.infer<typeof gamerule>;
export type GameruleValue = Gamerule['value'];

export const setGamerules = z
  .strictObject({
    rules: z
      .record(name, value)
      .refine((rules) => Object.keys(rules).length <= MOST_RULES, `must have at most ${MOST_RULES} members`)
      .describe('Values by the names of the running version'),
  })
  .meta({ id: 'SetGamerules' });
export type SetGamerules = z.infer<typeof setGamerules>;
