import type { Effects } from '../../../api/properties.ts';
import type { Schemas } from '../../../api/transport/client.ts';
import type { Language } from '../../../text/languages.ts';
import type { Words } from '../../../text/section.ts';
import type { Restored } from './edits.ts';
import { PROPERTY_WORDS } from './words/property-words.ts';

type Effect = Effects[string];

/** In the order in which they are listed: of several changes that were saved, of changes that all are alike, and of a property. */
const KEYS = {
  now: ['mixedNow', 'savedNow', 'takesEffectNow'],
  restart: ['mixedNextStart', 'savedNextStart', 'takesEffectNextStart'],
  'new-world': ['mixedNewWorlds', 'savedNewWorlds', 'takesEffectNewWorlds'],
} as const satisfies Record<Effect, readonly [mixed: string, saved: string, property: string]>;

/** Returns the key of the text that says when a change of a property takes effect. `isManaged`: the management protocol is on. */
export function effectKey(
  known: Pick<Schemas['Property'], 'takesEffect' | 'live'> | undefined,
  { isManaged }: { isManaged: boolean },
): (typeof KEYS)[Effect][2] {
  const isLive = known?.live === 'command' || (known?.live === 'management' && isManaged);
  return KEYS[isLive ? 'now' : (known?.takesEffect ?? 'restart')][2];
}

/** Returns what to say after properties of a running server were saved. Names them if they do not all take effect at the same time. */
export function savedMessage(
  effects: Effects,
  { t, language }: { t: Words<(typeof KEYS)[Effect][0 | 1] | 'saved'>; language: Language },
): string {
  const present = (['now', 'restart', 'new-world'] as const).filter((effect) =>
    Object.values(effects).includes(effect),
  );
  const [only] = present;
  if (only === undefined) return t('saved');
  if (present.length === 1) return t(KEYS[only][1]);
  const sentences = present.map((effect) => {
    const changed = Object.keys(effects).filter((property) => effects[property] === effect);
    return t(KEYS[effect][0], { names: namesOf(changed, language) });
  });
  return [t('saved'), ...sentences].join(' ');
}

/** Returns what to say after former values were put back. Names the properties that someone has changed since. */
export function restoredMessage(
  { restored, skipped }: Restored,
  { t, language }: { t: Words<'undone' | 'undonePartly' | 'changedSince'>; language: Language },
): string {
  if (skipped.length === 0) return t('undone');
  return t(restored.length > 0 ? 'undonePartly' : 'changedSince', { names: namesOf(skipped, language) });
}

function namesOf(properties: readonly string[], language: Language): string {
  const names = properties.map((property) => PROPERTY_WORDS[property]?.[language][0] ?? property);
  return new Intl.ListFormat(language).format(names);
}
