import * as z from 'zod';
import { createInstance } from './instance.ts';

const { name, id, port } = createInstance.shape;

export const cloneInstance = z.strictObject({ name, id, port }).meta({ id: 'CloneInstance' });
export type CloneInstance = z.infer<typeof cloneInstance>;
