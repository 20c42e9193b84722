import { Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { IconPlayerPlay, IconPlayerStop, IconPlus, IconRefresh, IconSearch } from '@tabler/icons-react';
import { useLocation } from 'wouter';
import type { Instance } from '../api/client.ts';
import { api } from '../api/client.ts';
import { useInstances } from '../api/instances.ts';
import { useWords } from '../text/section.ts';
import { notifyProblem } from '../ui/notify.tsx';
import { PhaseMark, phaseOf, usePhaseLabel } from '../ui/phase.tsx';
import { HOST_PAGES } from './host-pages.tsx';
import { paletteText } from './palette-text.ts';
import { shellText } from './shell-text.ts';

/** Ctrl+K: every server, page and action by name. */
export function Palette() {
  const t = useWords(shellText);
  const words = useWords(paletteText);
  const label = usePhaseLabel();
  const [, navigate] = useLocation();
  const instances = useInstances().data ?? [];

  const act = (instance: Instance, action: 'start' | 'stop' | 'restart') =>
    void api.POST(`/instances/{id}/${action}`, { params: { path: { id: instance.id } } }).catch(notifyProblem);
  const actionsOf = (instance: Instance): SpotlightActionData[] => {
    const one = (action: 'start' | 'stop' | 'restart', icon: React.ReactNode): SpotlightActionData => ({
      id: `${action} ${instance.id}`,
      label: words(action, { name: instance.name }),
      leftSection: icon,
      onClick: () => act(instance, action),
    });
    return instance.status === 'stopped'
      ? [one('start', <IconPlayerPlay size={18} />)]
      : [one('stop', <IconPlayerStop size={18} />), one('restart', <IconRefresh size={18} />)];
  };

  const actions = [
    {
      group: t('servers'),
      actions: [
        ...instances.map((instance) => ({
          id: instance.id,
          label: instance.name,
          description: label(instance),
          leftSection: <PhaseMark phase={phaseOf(instance)} size={16} />,
          onClick: () => navigate(`/servers/${instance.id}`),
        })),
        ...instances.flatMap(actionsOf),
        { id: 'new', label: t('newServer'), leftSection: <IconPlus size={18} />, onClick: () => navigate('/new') },
      ],
    },
    {
      group: t('host'),
      actions: HOST_PAGES.map(({ path, label: key, icon }) => ({
        id: path,
        label: t(key),
        leftSection: icon,
        onClick: () => navigate(path),
      })),
    },
  ];
  return (
    <Spotlight
      actions={actions}
      shortcut={['mod + K', 'mod + P']}
      nothingFound={t('nothing')}
      highlightQuery
      searchProps={{ leftSection: <IconSearch size={18} />, placeholder: t('search'), 'aria-label': t('search') }}
    />
  );
}
