import { type Holder, rightsOn } from '../../shared/domain/access/rights.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { ChangeVariables, InstanceVariable } from '../../shared/schema/variables.ts';
import type { Daemon } from '../upstream/clients.ts';
import type { InstanceView } from '../upstream/instance-view.ts';

export interface VariablesService {
  list(id: string): Promise<InstanceVariable[]>;
  /** Throws `insufficient_scope` for a variable that only administrators may set, and `invalid_request` for a value that is not allowed. */
  change(id: string, change: ChangeVariables, by: Holder): Promise<InstanceVariable[]>;
}

export function createVariablesService({
  daemon,
  view,
}: {
  daemon: Daemon;
  view: Pick<InstanceView, 'get' | 'refresh'>;
}): VariablesService {
  const list = async (id: string) => {
    await view.get(id);
    return daemon.call.instanceVariables(id);
  };
  return {
    list,
    async change(id, { variables }, by) {
      if (rightsOn(by, id)?.role !== 'admin') requireEditable(await list(id), Object.keys(variables));
      const changed = await daemon.call.changeVariables({ id, variables });
      await view.refresh(id);
      return changed;
    },
  };
}

function requireEditable(known: readonly InstanceVariable[], names: readonly string[]): void {
  const closed = known.filter(({ name, editableBy }) => editableBy === 'admin' && names.includes(name));
  if (closed.length === 0) return;
  const list = closed.map(({ name }) => name).join(', ');
  throw new GamekeeperError('insufficient_scope', `Only administrators may set ${list}.`, {
    resolution: 'Ask an administrator to do it, or to give you the role admin.',
  });
}
