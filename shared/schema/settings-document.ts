import * as z from 'zod';
import { MASKED } from './secret.ts';
import { settings } from './settings.ts';

const overridden = z.array(z.object({ key: z.string(), variable: z.string() })).meta({
  readOnly: true,
  description: 'Settings that an environment variable overrides while it is set',
});

/** The settings in answers: stored values with defaults, secrets masked. */
export const settingsDocument = z
  .object({ ...propertiesOf('answer'), overridden })
  .meta({ id: 'Settings', description: 'settings.json with the defaults filled in.' });
export type SettingsAnswer = z.infer<typeof settingsDocument>;

/** A change: some settings, or the whole answer. */
export const settingsChange = z
  .strictObject({ ...propertiesOf('change'), overridden: z.unknown().optional().meta({ description: 'Ignored' }) })
  .meta({
    id: 'SettingsChange',
    description: 'Objects are merged, null returns to the default, anything else replaces (RFC 7396).',
  });

/** `answer`: with defaults. `change`: any part, `null` for the default. `element`: a whole list element, without its defaults. */
type Reading = 'answer' | 'change' | 'element';

function propertiesOf(reading: Reading): Record<string, z.ZodType> {
  return mapValues(settings.shape, (schema) => property(schema, reading));
}

function property(schema: z.core.$ZodType, reading: Reading): z.ZodType {
  const isOptional = schema instanceof z.ZodOptional;
  const hasDefault = schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault;
  const value = readingOf(isOptional || hasDefault ? schema.unwrap() : schema, reading);
  if (reading === 'change') return value.nullable().optional();
  return isOptional || (hasDefault && reading === 'element') ? value.optional() : value;
}

/** The daemon checks rules across settings and the format of secrets: it knows the whole document. */
function readingOf(schema: z.core.$ZodType, reading: Reading): z.ZodType {
  const { description, secret } = z.globalRegistry.get(schema) ?? {};
  const value = secret === true ? z.string().meta({ examples: [MASKED] }) : readingOfKind(schema, reading);
  return description === undefined ? value : value.describe(description);
}

function readingOfKind(schema: z.core.$ZodType, reading: Reading): z.ZodType {
  if (schema instanceof z.ZodObject) {
    const shape = mapValues(schema.shape, (inner) => property(inner, reading));
    return reading === 'answer' ? z.object(shape) : z.strictObject(shape);
  }
  if (schema instanceof z.ZodRecord) return z.record(z.string(), property(schema.valueType, reading));
  if (schema instanceof z.ZodArray)
    return z.array(readingOf(schema.element, reading === 'change' ? 'element' : reading));
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const [first, ...rest] = schema.options.map((option) => readingOf(option, reading));
    return z.union([first!, ...rest]);
  }
  return schema as z.ZodType;
}

function mapValues<In, Out>(values: Readonly<Record<string, In>>, map: (value: In) => Out): Record<string, Out> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));
}
