import type { TunnelResponse } from '../../shared/schema/answers.ts';
import type { InstanceView } from '../upstream/instance-view.ts';

export interface TunnelService {
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
