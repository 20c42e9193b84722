import { MultiSelect, SegmentedControl, Stack, Text } from '@mantine/core';
import { useInstances } from '../../../api/instances.ts';
import type { Schemas } from '../../../api/transport/client.ts';
import { useWords } from '../../../text/section.ts';
import { serverName, serverNameOf } from '../../../ui/display/server-name.ts';
import { usersText } from './users-text.ts';

export type Grants = Schemas['Grants'];
const EVERY = '*';

export interface GrantsInputProps {
  value: Grants;
  /** The user's own. */
  role: Schemas['User']['role'];
  onChange: (grants: Grants) => void;
}

/** Chooses the servers that a user may see, and for operators the right to files. Keeps a grant's own role, which only the API can set. */
export function GrantsInput({ value, role, onChange }: GrantsInputProps) {
  const t = useWords(usersText);
  const instances = useInstances().data ?? [];
  const all = value.includes(EVERY);
  const ids = value.map(idOf).filter((id) => id !== EVERY);
  return (
    <Stack gap={6}>
      <Text size="sm" fw={500} component="span">
        {t('servers')}
      </Text>
      <SegmentedControl
        aria-label={t('servers')}
        value={all ? 'all' : 'some'}
        onChange={(next) => onChange(next === 'all' ? [EVERY] : [])}
        data={[
          { value: 'all', label: t('allServers') },
          { value: 'some', label: t('onlyThese') },
        ]}
      />
      {!all && (
        <MultiSelect
          aria-label={t('onlyThese')}
          data={instances.map((each) => ({ value: each.id, label: serverName(each) }))}
          value={ids}
          onChange={(next) => onChange(next.map((id) => value.find((grant) => idOf(grant) === id) ?? id))}
        />
      )}
      {role === 'operator' && all && (
        <Text size="xs" c="dimmed">
          {t('filesOfAll')}
        </Text>
      )}
      {role === 'operator' &&
        !all &&
        ids.map((id) => (
          <FilesOf
            key={id}
            name={serverNameOf(id, instances)}
            grant={value.find((grant) => idOf(grant) === id) ?? id}
            onChange={(next) => onChange(value.map((grant) => (idOf(grant) === id ? next : grant)))}
          />
        ))}
    </Stack>
  );
}

interface FilesOfProps {
  /** Of the server. */
  name: string;
  grant: Grants[number];
  onChange: (grant: Grants[number]) => void;
}

/** What an operator may do with the files of one server. */
function FilesOf({ name, grant, onChange }: FilesOfProps) {
  const t = useWords(usersText);
  const { id, role, files } =
    typeof grant === 'string' ? { id: grant, role: 'operator' as const, files: undefined } : grant;
  if (role !== 'operator') return null;
  return (
    <Stack gap={4}>
      <Text size="sm" component="span">
        {t('filesOf', { name })}
      </Text>
      <SegmentedControl
        aria-label={t('filesOf', { name })}
        size="xs"
        value={files ?? 'none'}
        onChange={(next) =>
          onChange(next === 'read' || next === 'write' ? { id, role, files: next } : grant === id ? id : { id, role })
        }
        data={(['none', 'read', 'write'] as const).map((right) => ({ value: right, label: t(`files-${right}`) }))}
      />
      {files !== undefined && (
        <Text size="xs" c={files === 'write' ? 'orange' : 'dimmed'}>
          {t(`files-${files}-hint`)}
        </Text>
      )}
    </Stack>
  );
}

function idOf(grant: Grants[number]): string {
  return typeof grant === 'string' ? grant : grant.id;
}
