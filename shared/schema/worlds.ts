import * as z from 'zod';

const folder = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[^/\\]+$/, 'must be the name of a folder, without slashes')
  .refine((name) => name !== '.' && name !== '..', 'must be the name of a folder')
  .describe("Name of the world's folder, such as `world`");

export const world = z
  .object({
    folder,
    name: z.string().optional().describe('As the game shows it'),
    isCurrent: z.boolean().describe('True: the server loads this one (`level-name`)'),
    version: z.string().optional().describe('Of the game that saved it last'),
    seed: z.string().optional().describe('A 64-bit number, so a string'),
    lastPlayedAt: z.iso.datetime().optional(),
    sizeBytes: z
      .int()
      .min(0)
      .optional()
      .describe(
        'With the Nether and the End, also if they have folders of their own. Absent if counting takes too long',
      ),
    folders: z
      .array(z.string())
      .describe('The folder and, on Paper and its relatives, those of the Nether and the End'),
    dataPacks: z.array(z.string()).describe('File names, at most 100'),
    problem: z.string().optional().describe('Why `level.dat` could not be read'),
  })
  .meta({ id: 'World' });
export type World = z.infer<typeof world>;

export const worldList = z.object({ worlds: z.array(world) }).meta({ id: 'WorldList' });
export type WorldList = z.infer<typeof worldList>;

export const worldReplacement = z
  .strictObject({
    folder,
    archive: z.string().min(1).max(8_192).describe("Path of a ZIP in the server's folder, which was uploaded before"),
  })
  .meta({ id: 'WorldReplacement' });
export type WorldReplacement = z.infer<typeof worldReplacement>;

export const worldReset = z
  .strictObject({
    folder,
    seed: z
      .string()
      .max(100)
      .regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, 'must be one line without control characters')
      .optional()
      .describe('Number or text; empty: a random one. Absent: as `level-seed` is now'),
  })
  .meta({ id: 'WorldReset' });
export type WorldReset = z.infer<typeof worldReset>;
