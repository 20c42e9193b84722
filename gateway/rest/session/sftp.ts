import { sftpState } from '../../../shared/schema/sftp.ts';
import { sessionOnly } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';

/** What users need to know to connect by SFTP. */
export function sftpRoute(app: Api, { sftp }: Services): void {
  app.get(
    '/api/sftp',
    {
      schema: { response: { 200: sftpState } },
      config: {
        operation: {
          id: 'getSftp',
          summary: 'Get where SFTP listens, and the fingerprint of its host key',
          description: 'It is turned on and off by the settings (`sftp`).',
          tag: 'Settings',
          access: sessionOnly('viewer'),
        },
      },
    },
    () => sftp.state(),
  );
}
