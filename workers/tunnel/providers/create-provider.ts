import type { TunnelSettings } from '../../../shared/schema/tunnel.ts';
import { createFrpProvider } from './frp/frp-provider.ts';
import type { Provider } from './provider.ts';
import { createSshProvider } from './ssh/ssh-provider.ts';
import { createStaticProvider } from './static/static-provider.ts';

/** `folder`: for files that only this tunnel uses; it need not exist. */
export function createProvider(settings: TunnelSettings, { folder }: { folder: string }): Provider {
  switch (settings.provider) {
    case 'static':
      return createStaticProvider(settings);
    case 'ssh':
      return createSshProvider(settings);
    case 'frp':
      return createFrpProvider(settings, { folder });
  }
}
