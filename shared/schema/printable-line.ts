import * as z from 'zod';
import { PRINTABLE_LINE } from '../domain/console/invisible-characters.ts';

/**
 * What people call something: an instance, a token, a schedule. Terminals, logs and pages show it as it is, so it is one line without characters
 * that hide or reorder others.
 */
export const displayName = z
  .string()
  .max(64)
  // Before `trim`, which also removes U+2028 and U+FEFF: the OpenAPI document describes what is sent.
  .regex(PRINTABLE_LINE, 'must be one line without control characters and invisible characters')
  .trim()
  .min(1);
