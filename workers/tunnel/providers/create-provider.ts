import type { TunnelSettings } from '../../../shared/schema/tunnel.ts';
import type { Provider } from './provider.ts';
import { createSshProvider } from './ssh/ssh-provider.ts';
import { createStaticProvider } from './static/static-provider.ts';

export function createProvider(settings: TunnelSettings): Provider {
  switch (settings.provider) {
    case 'static':
      return createStaticProvider(settings);
    case 'ssh':
      return createSshProvider(settings);
  }
}
