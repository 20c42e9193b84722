import type { TunnelResponse } from '../../shared/schema/answers.ts';
import type { InstanceView } from '../upstream/instance-view.ts';

export interface TunnelService {
  /** Returns the public address of an instance; `enabled: false` if none is configured. */
  status(id: string): Promise<TunnelResponse>;
}

export function createTunnelService({ view }: { view: InstanceView }): TunnelService {
  return {
    async status(id) {
      await view.get(id);
      return { enabled: false, tunnelAddress: '', numericAddress: '', pingMs: -1 };
    },
  };
}
