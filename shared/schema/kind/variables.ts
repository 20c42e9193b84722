import * as z from 'zod';
import { BUILT_IN_PLACEHOLDERS } from '../../domain/software/placeholders.ts';
import { VARIABLE_EDITORS, VARIABLE_TYPES, valueProblem } from '../../domain/software/variable.ts';
import { pattern } from './parts.ts';

export const MOST_VARIABLES = 100;
export const LONGEST_VALUE = 1_024;

export const variableName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, 'must be 1 to 64 letters, digits and underscores, and start with a letter');

const text = z.string().max(LONGEST_VALUE);

export const variableRule = z
  .strictObject({
    required: z.boolean().optional(),
    pattern: pattern.optional(),
    maxLength: z.int().min(1).max(LONGEST_VALUE).optional(),
    min: z.number().optional(),
    max: z.number().optional(),
    decimals: z.int().min(0).max(10).optional(),
    choices: z.array(text.min(1)).min(1).max(200).optional(),
    written: z.strictObject({ true: text, false: text }).optional(),
  })
  .meta({ id: 'VariableRule' });

/** The keys of a rule that a type of variable understands. */
const RULES: Record<(typeof VARIABLE_TYPES)[number], readonly string[]> = {
  text: ['required', 'pattern', 'maxLength'],
  number: ['required', 'min', 'max', 'decimals'],
  boolean: ['required', 'written'],
  choice: ['required', 'choices'],
};

const variable = z
  .strictObject({
    name: variableName,
    title: z.string().min(1).max(100).optional(),
    description: z.string().max(1_000).optional(),
    type: z.enum(VARIABLE_TYPES),
    rule: variableRule.optional(),
    default: text,
    editableBy: z.enum(VARIABLE_EDITORS),
    secret: z.boolean().optional(),
  })
  .superRefine((one, context) => {
    const wrong = Object.keys(one.rule ?? {}).find((key) => !RULES[one.type].includes(key));
    if (wrong !== undefined)
      context.addIssue({ code: 'custom', path: ['rule', wrong], message: `is not for a variable of type ${one.type}` });
    if (one.type === 'choice' && !one.rule?.choices)
      context.addIssue({ code: 'custom', path: ['rule', 'choices'], message: 'must be given for a choice' });
    // An empty default of a required variable is what the owner has to fill in.
    const problem = one.default === '' || context.issues.length > 0 ? undefined : defaultProblem(one);
    if (problem !== undefined) context.addIssue({ code: 'custom', path: ['default'], message: problem });
  });

export const variables = z
  .array(variable)
  .max(MOST_VARIABLES)
  .superRefine((all, context) => {
    const taken = new Set<string>(BUILT_IN_PLACEHOLDERS);
    for (const [index, { name }] of all.entries()) {
      if (taken.has(name))
        context.addIssue({ code: 'custom', path: [index, 'name'], message: `"${name}" is taken: choose another name` });
      taken.add(name);
    }
  });

function defaultProblem({ type, rule: rules, default: value }: z.infer<typeof variable>): string | undefined {
  return valueProblem({ type, rule: rules as never }, value);
}
