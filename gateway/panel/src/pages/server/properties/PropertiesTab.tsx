import { Box, Button, Group, SegmentedControl, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { knownPropertiesQuery, type PropertiesDocument, propertiesQuery } from '../../../api/properties.ts';
import type { Schemas } from '../../../api/transport/client.ts';
import { useLanguage } from '../../../text/language.ts';
import { useWords } from '../../../text/section.ts';
import { notifyDone, notifyInfo, notifyProblem, notifyUndoable } from '../../../ui/feedback/notify.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { useUnsavedGuard } from '../../../ui/form/unsaved.ts';
import type { TabProps } from '../tab-props.ts';
import { ConflictChoice } from './ConflictChoice.tsx';
import type { Restored } from './edits.ts';
import { restoredMessage, savedMessage } from './effects.ts';
import { Gamerules } from './gamerules/Gamerules.tsx';
import { PropertiesForm } from './PropertiesForm.tsx';
import { propertiesText } from './properties-text.ts';
import { RawProperties } from './RawProperties.tsx';
import { usePropertyEdits } from './use-property-edits.ts';

/** The game's own settings (`server.properties`), as a form or as text. */
export function PropertiesTab(props: TabProps) {
  // What another page has shown before may have been changed since.
  const properties = useQuery({ ...propertiesQuery(props.instance.id), staleTime: 0 });
  const known = useQuery(knownPropertiesQuery(props.instance));
  return (
    <Box className="page-width" py="md">
      {(properties.isPending || known.isPending) && <Skeleton h={320} />}
      {properties.isError && !properties.data && (
        <ProblemAlert error={properties.error} onRetry={() => void properties.refetch()} />
      )}
      {known.isError && <ProblemAlert error={known.error} onRetry={() => void known.refetch()} />}
      {properties.data && known.data && <Editor {...props} latest={properties.data} known={known.data} />}
      {props.software?.gamerules && <Gamerules {...props} />}
    </Box>
  );
}

interface EditorProps extends TabProps {
  latest: PropertiesDocument;
  known: readonly Schemas['Property'][];
}

function Editor({ instance, session, software, latest, known }: EditorProps) {
  const t = useWords(propertiesText);
  const { language } = useLanguage();
  const byKey = useMemo(() => Object.fromEntries(known.map((property) => [property.key, property])), [known]);
  /** What the game uses for properties that the file lacks. */
  const fallbacks = useMemo(
    () => Object.fromEntries(known.flatMap((each) => (each.default === null ? [] : [[each.key, each.default]]))),
    [known],
  );
  const form = usePropertyEdits(instance.id, { latest, fallbacks });
  const [view, setView] = useState<'form' | 'raw'>('form');
  const [search, setSearch] = useState('');
  const mayChange = session.role === 'admin';
  const changed = Object.keys(form.edits).length;
  useUnsavedGuard(changed > 0);
  const save = async () => {
    const saved = await form.save();
    if (!saved) return;
    const { effects, undo } = saved;
    const message = instance.status === 'stopped' ? t('saved') : savedMessage(effects, { t, language });
    if (undo) notifyUndoable(message, () => void putBack(undo).catch(notifyProblem));
    else notifyDone(message);
  };
  const putBack = async (undo: () => Promise<Restored>) => {
    const result = await undo();
    const notify = result.skipped.length === 0 ? notifyDone : notifyInfo;
    notify(restoredMessage(result, { t, language }));
  };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Stack>
        <Group justify="space-between">
          <TextInput
            aria-label={t('search')}
            placeholder={t('search')}
            leftSection={<IconSearch size={16} aria-hidden />}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
            disabled={view === 'raw'}
            w={280}
            maw="100%"
          />
          <SegmentedControl
            aria-label={t('view')}
            value={view}
            onChange={(next) => setView(next as typeof view)}
            data={(['form', 'raw'] as const).map((value) => ({ value, label: t(value) }))}
          />
        </Group>
        {view === 'form' ? (
          <PropertiesForm
            instance={instance}
            session={session}
            software={software}
            form={form}
            known={byKey}
            search={search}
            disabled={!mayChange}
          />
        ) : (
          <RawProperties key={form.round} form={form} disabled={!mayChange} />
        )}
        {form.conflicts.length > 0 && <ConflictChoice conflicts={form.conflicts} onResolve={form.resolve} />}
        {form.error !== undefined && <ProblemAlert error={form.error} />}
      </Stack>
      {mayChange && changed > 0 && (
        <Group className="save-bar" justify="flex-end">
          <Text size="sm" c="dimmed" role="status">
            {t('changed', { count: changed })}
          </Text>
          <Button variant="default" onClick={form.reset}>
            {t('discard')}
          </Button>
          <Button type="submit" loading={form.busy} disabled={form.conflicts.length > 0}>
            {t('save')}
          </Button>
        </Group>
      )}
    </form>
  );
}
