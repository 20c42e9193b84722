import type { SoftwareDefinition } from '../../shared/domain/software/definition.ts';
import { type Fault, valueFault } from '../../shared/domain/software/variable.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { InstanceConfig, VariableValues } from '../../shared/schema/instance.ts';

/** Returns the values that differ from the defaults, or `undefined`. Throws `invalid_request` with the variable and what is allowed. */
export function checkVariables(software: SoftwareDefinition, values: VariableValues): InstanceConfig['variables'] {
  const { kind, variables = [] } = software;
  const own: Record<string, string> = {};
  for (const [name, given] of Object.entries(values)) {
    const variable = variables.find((one) => one.name === name);
    if (!variable) throw refused(name, `a "${kind}" server has no such variable. ${listed(variables)}`);
    if (variable.editableBy === 'nobody') throw refused(name, 'it is fixed by its kind and cannot be set.');
    const value = String(given);
    const fault = valueFault(variable, value);
    if (fault) throw refused(name, `${fault.detail}.`, fault);
    if (value !== variable.default) own[name] = value;
  }
  return Object.keys(own).length === 0 ? undefined : own;
}

/** Returns the configuration with some variables set. `null`: the default again. Throws like `checkVariables`. */
export function withVariables(
  config: InstanceConfig,
  software: SoftwareDefinition,
  change: Readonly<Record<string, VariableValues[string] | null>>,
): InstanceConfig {
  const { variables: before = {}, ...rest } = config;
  const known = new Set((software.variables ?? []).map(({ name }) => name));
  // A variable that its kind does not have any more is forgotten, unless the change names it.
  const merged = Object.fromEntries(Object.entries(before).filter(([name]) => known.has(name)));
  const given: VariableValues = {};
  for (const [name, value] of Object.entries(change)) {
    if (value === null) delete merged[name];
    else given[name] = value;
  }
  const changed = checkVariables(software, given) ?? {};
  for (const name of Object.keys(given)) delete merged[name];
  const variables = { ...merged, ...changed };
  return { ...rest, ...(Object.keys(variables).length > 0 && { variables }) };
}

function listed(variables: NonNullable<SoftwareDefinition['variables']>): string {
  const names = variables.filter(({ editableBy }) => editableBy !== 'nobody').map(({ name }) => name);
  return names.length === 0 ? 'It has none.' : `It has ${names.join(', ')}.`;
}

function refused(name: string, reason: string, fault?: Fault): GamekeeperError {
  const field = `variables.${name}`;
  return new GamekeeperError('invalid_request', `${field}: ${reason}`, { errors: fault && [{ field, ...fault }] });
}
