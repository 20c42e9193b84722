import { MultiSelect, SegmentedControl, Stack, Text } from '@mantine/core';
import { useInstances } from '../../../api/instances.ts';
import type { Schemas } from '../../../api/transport/client.ts';
import { useWords } from '../../../text/section.ts';
import { usersText } from './users-text.ts';

export type Grants = Schemas['Grants'];
const EVERY = '*';

/** Chooses the servers that a user may see. Keeps a grant's own role, which only the API can set. */
export function GrantsInput({ value, onChange }: { value: Grants; onChange: (grants: Grants) => void }) {
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
          data={instances.map(({ id, name }) => ({ value: id, label: name }))}
          value={ids}
          onChange={(next) => onChange(next.map((id) => value.find((grant) => idOf(grant) === id) ?? id))}
        />
      )}
    </Stack>
  );
}

function idOf(grant: Grants[number]): string {
  return typeof grant === 'string' ? grant : grant.id;
}
