import type { AdoptedSettings } from '../../shared/contract/daemon/instances.ts';
import type { InstanceConfig } from '../../shared/schema/instance.ts';
import type { Upstream } from './upstream.ts';

/** The instance's configuration as the daemon last sent it. */
export class InstanceSettings {
  readonly #daemon: Pick<Upstream, 'adoptSettings'>;
  #current: InstanceConfig;
  #changing = 0;

  constructor(config: InstanceConfig, daemon: Pick<Upstream, 'adoptSettings'>) {
    this.#current = config;
    this.#daemon = daemon;
  }

  get current(): InstanceConfig {
    return this.#current;
  }

  /** True while `change` runs. */
  get isChanging(): boolean {
    return this.#changing > 0;
  }

  replace(config: InstanceConfig): void {
    this.#current = config;
  }

  /** Changes the instance's settings in the daemon. When this resolves, `current` has them. */
  async change(settings: AdoptedSettings): Promise<void> {
    this.#changing++;
    await this.#daemon.adoptSettings(settings).finally(() => this.#changing--);
  }
}
