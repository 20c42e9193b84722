import { Badge, Button, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { modSearchQuery } from '../../../api/mods.ts';
import { useWords } from '../../../text/section.ts';
import { ProjectSearch } from '../../../ui/modrinth/ProjectSearch.tsx';
import { useProjectWords } from '../../../ui/modrinth/use-project-words.ts';
import type { InstalledModsProps } from './InstalledMods.tsx';
import { modsText } from './mods-text.ts';

/** Projects on Modrinth that fit this server. */
export function ModSearch({ instanceId, mayChange, onChange }: InstalledModsProps) {
  const t = useWords(modsText);
  const words = useProjectWords();
  const search = useQuery(modSearchQuery(instanceId, { query: words.query, limit: words.limit }));
  return (
    <Stack>
      <Title order={2}>{t('find')}</Title>
      <ProjectSearch words={words} search={search} label={t('search')} nothing={t('nothing')} order={3}>
        {({ projectId, title, installed }) => (
          <>
            {installed && (
              <Badge variant="light" tt="none" style={{ flexShrink: 0 }}>
                {t('isInstalled')}
              </Badge>
            )}
            {mayChange && !installed && (
              <Button
                size="compact-sm"
                variant="default"
                style={{ flexShrink: 0 }}
                aria-label={t('installTitle', { name: title })}
                onClick={() => onChange({ type: 'install', project: projectId, title })}
              >
                {t('install')}
              </Button>
            )}
          </>
        )}
      </ProjectSearch>
    </Stack>
  );
}
