import { outsideTest } from '../../../shared/schema/outside-ping.ts';
import { tunnelResponse, tunnelSettingsDocument } from '../../../shared/schema/tunnel.ts';
import { needs } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { ofInstance } from '../parameters.ts';

const tag = 'Tunnel';
const access = needs('tunnels:manage');

export function tunnelRoutes(app: Api, { tunnel }: Services): void {
  app.get(
    '/instances/:id/tunnel',
    {
      schema: { params: ofInstance, response: { 200: tunnelResponse } },
      config: {
        operation: {
          id: 'getTunnel',
          summary: 'Get the public address of an instance',
          description: 'While the server runs, its address is probed every 15 seconds as a player would connect.',
          tag,
          access,
          errors: ['instance_not_found'],
        },
      },
    },
    (request) => tunnel.status(request.params.id),
  );

  app.post(
    '/instances/:id/tunnel/test',
    {
      schema: { params: ofInstance, response: { 200: tunnelResponse } },
      config: {
        operation: {
          id: 'testTunnel',
          work: 'tunnel',
          summary: 'Probe the public address of an instance now',
          description:
            'Connects through the public address as a player would. Returns the last result if it is newer than 5 seconds.',
          tag,
          access,
          errors: ['instance_not_found', 'worker_unavailable'],
        },
      },
    },
    (request) => tunnel.probe(request.params.id),
  );

  app.post(
    '/instances/:id/tunnel/test/outside',
    {
      schema: { params: ofInstance, response: { 200: outsideTest } },
      config: {
        operation: {
          id: 'testTunnelFromOutside',
          work: 'tunnel',
          summary: 'Have the hosted proxy connect to the public address of an instance',
          description:
            'The proxy that this daemon is linked to asks the server for its entry in the server list, as the computer of a friend would. Six at once, then one every ten seconds for each account of the proxy.',
          tag,
          access,
          errors: ['instance_not_found', 'invalid_state', 'not_linked', 'proxy_refused', 'proxy_unavailable'],
        },
      },
    },
    (request) => tunnel.testFromOutside(request.params.id),
  );

  app.get(
    '/instances/:id/tunnel/settings',
    {
      schema: { params: ofInstance, response: { 200: tunnelSettingsDocument } },
      config: {
        operation: {
          id: 'getTunnelSettings',
          summary: 'Get how players on the internet reach an instance',
          description: 'Secrets are `********`.',
          tag,
          access,
          errors: ['instance_not_found'],
        },
      },
    },
    (request) => tunnel.settings(request.params.id),
  );

  app.put(
    '/instances/:id/tunnel/settings',
    {
      schema: { params: ofInstance, body: tunnelSettingsDocument, response: { 200: tunnelSettingsDocument } },
      config: {
        operation: {
          id: 'setTunnelSettings',
          work: 'tunnel',
          summary: 'Set how players on the internet reach an instance',
          description:
            'Takes effect at once; players who are connected through the former tunnel are disconnected. `provider: null` removes it. A secret that is sent back as `********` stays as it is, while host, port and user are the same. With `relay`, the linked proxy is asked for the address: what it refuses, such as a name that is taken, is not stored. If it does not answer, the settings are stored, and the tunnel reports it.',
          tag,
          access,
          errors: ['instance_not_found', 'proxy_refused'],
        },
      },
    },
    (request) => tunnel.configure(request.params.id, request.body, request.identity!),
  );
}
