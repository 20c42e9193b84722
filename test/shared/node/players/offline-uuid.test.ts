import t from 'tap';
import { offlineUuid } from '../../../../shared/node/players/offline-uuid.ts';

t.test('computes the UUID that a server in offline mode gives to a name', async (t) => {
  t.equal(offlineUuid('Notch'), 'b50ad385-829d-3141-a216-7e7d7539ba7f');
  t.not(offlineUuid('notch'), offlineUuid('Notch'), 'case matters');
});
