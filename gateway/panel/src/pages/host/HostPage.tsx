import type { Schemas } from '../../api/client.ts';
export function HostPage(_: { page: string; session: Schemas['LoginResponse'] }) {
  return null;
}
