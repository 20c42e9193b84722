import * as z from 'zod';
import { PRINTABLE_LINE } from '../domain/invisible-characters.ts';

/**
 * What people call something: an instance, a token, a schedule. Terminals, logs and pages show it as it is, so it is one line without characters
 * that hide or reorder others.
 */
export const displayName = z
  .string()
  .max(64)
  .trim()
  .min(1)
  .regex(PRINTABLE_LINE, 'must be one line without control characters and invisible characters');
