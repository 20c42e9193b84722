import { queryOptions } from '@tanstack/react-query';
import { SETTINGS } from './settings.ts';
import { api, dataOf } from './transport/client.ts';

/** Where SFTP listens. Read again after each change of the settings. */
export function sftpQuery() {
  return queryOptions({ queryKey: [...SETTINGS, 'sftp'], queryFn: () => dataOf(api.GET('/api/sftp')) });
}
