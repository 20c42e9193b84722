import t from 'tap';
import { setCustomSoftware, softwareOf } from '../../../../shared/domain/software/catalogue.ts';
import type { Variable } from '../../../../shared/domain/software/variable.ts';
import { homeAt } from '../../../../shared/node/files/home.ts';
import { createServerFolders } from '../../../../workers/files/folder/server-folders.ts';
import { instanceConfig } from '../../../support/processes/instance-config.ts';

const VARIABLES: Variable[] = [
  { name: 'join', type: 'text', default: 'open sesame', editableBy: 'operator', secret: true },
];

t.test('the secrets of a custom kind are known if all of its variables have their defaults', async (t) => {
  t.teardown(() => setCustomSoftware([]));
  const kinds = [{ ...softwareOf('demo')!, kind: 'mine', variables: VARIABLES }];
  const config = instanceConfig({ software: 'mine' });
  const daemon = {
    instance: async () => ({ config }),
    customSoftware: async () => ({ kinds, problems: [] }),
  };
  const { secrets } = createServerFolders(daemon as never, homeAt(t.testdir()));
  t.match(await secrets('demo'), ['open sesame']);
});
