import * as z from 'zod';
import type { SoftwareDefinition } from '../domain/software/definition.ts';
import { currentValue } from '../domain/software/placeholders.ts';
import { VARIABLE_EDITORS, VARIABLE_TYPES, type Variable, valueProblem } from '../domain/software/variable.ts';
import { editorOf } from '../domain/software/variable-editor.ts';
import type { InstanceConfig } from './instance.ts';
import { LONGEST_VALUE, MOST_VARIABLES, variableName, variableRule } from './kind/variables.ts';

export const kindVariable = z
  .object({
    name: z.string(),
    title: z.string().describe('Label of its form field'),
    description: z.string().optional(),
    type: z.enum(VARIABLE_TYPES),
    rule: variableRule.optional(),
    default: z.string().optional().describe('Absent for a secret'),
    secret: z.boolean(),
    editableBy: z
      .enum(VARIABLE_EDITORS)
      .describe('`operator`: needs `servers:write`; `admin`: needs the role admin; `nobody`: always the default'),
  })
  .meta({ id: 'KindVariable' });
export type KindVariable = z.infer<typeof kindVariable>;

export const instanceVariable = kindVariable
  .extend({
    value: z.string().optional().describe('Absent for a secret'),
    isSet: z.boolean().describe('Whether the instance has a value of its own'),
    problem: z
      .string()
      .optional()
      .describe('What is wrong with its value. The server cannot start until it is corrected'),
  })
  .meta({ id: 'InstanceVariable' });
export type InstanceVariable = z.infer<typeof instanceVariable>;

export const changeVariables = z
  .strictObject({
    variables: z
      .record(variableName, z.union([z.string().max(LONGEST_VALUE), z.number(), z.boolean(), z.null()]))
      .refine((values) => Object.keys(values).length <= MOST_VARIABLES, `must have at most ${MOST_VARIABLES} members`)
      .describe('Values by name. null: the default again'),
  })
  .meta({ id: 'ChangeVariables' });
export type ChangeVariables = z.infer<typeof changeVariables>;

/** Returns a variable as callers may see it. */
function toKindVariable(variable: Variable, definition: SoftwareDefinition): KindVariable {
  const { name, title = name, description, type, rule, default: usual, secret = false } = variable;
  return {
    ...{ name, title, type, secret, editableBy: editorOf(variable, definition) },
    ...(description !== undefined && { description }),
    ...(rule && { rule: rule as NonNullable<KindVariable['rule']> }),
    ...(!secret && { default: usual }),
  };
}

/** Returns the variables of a kind as callers may see them. */
export function toKindVariables(definition: SoftwareDefinition): KindVariable[] {
  return (definition.variables ?? []).map((variable) => toKindVariable(variable, definition));
}

/** Returns the variables of an instance as callers may see them. */
export function toInstanceVariables(
  definition: SoftwareDefinition,
  config: Pick<InstanceConfig, 'variables'>,
): InstanceVariable[] {
  return (definition.variables ?? []).map((variable) => {
    const value = currentValue(variable, config);
    const problem = valueProblem(variable, value);
    return {
      ...toKindVariable(variable, definition),
      ...(!variable.secret && { value }),
      isSet: config.variables?.[variable.name] !== undefined,
      ...(problem !== undefined && { problem }),
    };
  });
}
