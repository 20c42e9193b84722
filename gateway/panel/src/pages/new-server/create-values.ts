import type { Schemas } from '../../api/transport/client.ts';

export interface CreateValues {
  software: string;
  name: string;
  version: string;
  memoryGb: number;
  port: number | '';
  acceptEula: boolean;
  startNow: boolean;
}

export const DEFAULTS: CreateValues = {
  software: '',
  name: '',
  version: '',
  memoryGb: 2,
  port: '',
  acceptEula: false,
  startNow: true,
};

const GIGABYTE_MB = 1_024;

export function toCreateRequest({
  software,
  name,
  version,
  memoryGb,
  port,
  acceptEula,
}: CreateValues): Schemas['CreateInstance'] {
  return {
    software,
    name: name.trim(),
    memoryMb: Math.round(memoryGb * GIGABYTE_MB),
    ...(version.trim() !== '' && { version: version.trim() }),
    ...(port !== '' && { port }),
    ...(acceptEula && { acceptEula }),
  } as Schemas['CreateInstance'];
}
