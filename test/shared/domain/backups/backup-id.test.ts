import t from 'tap';
import { BACKUP_ID_PATTERN, backupId } from '../../../../shared/domain/backups/backup-id.ts';

t.test('backup ids are as documented and sort by time', async (t) => {
  const first = backupId(new Date('2026-11-20T08:15:00.310Z'), 'c2a');
  t.equal(first, '20261120T081500Z-4f5c2a');
  t.match(first, BACKUP_ID_PATTERN);
  t.ok(first < backupId(new Date('2026-11-20T08:15:00.311Z'), '000'), 'sorts within a second');
  t.ok(first < backupId(new Date('2026-11-20T08:15:01Z'), '000'));
  t.match(backupId(new Date('2026-11-20T08:15:00.999Z'), 'fff'), BACKUP_ID_PATTERN);
});
