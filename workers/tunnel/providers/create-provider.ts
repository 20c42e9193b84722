import type { TunnelSettings } from '../../../shared/schema/tunnel.ts';
import { createFrpProvider } from './frp/frp-provider.ts';
import { createPlayitProvider } from './playit/playit-provider.ts';
import type { Provider } from './provider.ts';
import { createSshProvider } from './ssh/ssh-provider.ts';
import { createStaticProvider } from './static/static-provider.ts';

/** `folder`: for files that only this tunnel uses; it need not exist. `instance`: its id. */
export function createProvider(
  settings: TunnelSettings,
  { folder, instance }: { folder: string; instance: string },
): Provider {
  switch (settings.provider) {
    case 'static':
      return createStaticProvider(settings);
    case 'ssh':
      return createSshProvider(settings);
    case 'frp':
      return createFrpProvider(settings, { folder });
    case 'playit':
      return createPlayitProvider(settings, { folder, instance });
  }
}
