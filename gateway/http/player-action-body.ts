import * as z from 'zod';

/** Optional body of every player action, in each family. */
export const playerActionBody = z
  .strictObject({
    reason: z
      .string()
      .max(200)
      .regex(/^\P{Cc}*$/u, 'must not hold control characters')
      .trim()
      .min(1)
      .optional(),
  })
  .prefault({})
  .meta({ id: 'PlayerActionRequest' });
