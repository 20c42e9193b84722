import t from 'tap';
import {
  effectKey,
  restoredMessage,
  savedMessage,
} from '../../../../../../gateway/panel/src/pages/server/properties/effects.ts';
import { propertiesText } from '../../../../../../gateway/panel/src/pages/server/properties/properties-text.ts';
import { fill } from '../../../../../../gateway/panel/src/text/section.ts';

t.test('says of each property when a change takes effect', async (t) => {
  const off = { isManaged: false };
  t.equal(effectKey({ takesEffect: 'restart', live: 'command' }, off), 'takesEffectNow');
  t.equal(effectKey({ takesEffect: 'restart', live: 'management' }, off), 'takesEffectNextStart');
  t.equal(effectKey({ takesEffect: 'restart', live: 'management' }, { isManaged: true }), 'takesEffectNow');
  t.equal(effectKey({ takesEffect: 'new-world' }, off), 'takesEffectNewWorlds');
  t.equal(effectKey(undefined, off), 'takesEffectNextStart');
});

t.test('says which changes are in effect', async (t) => {
  const message = (effects: Parameters<typeof savedMessage>[0], language: 'en' | 'de' | 'zh' = 'en') =>
    savedMessage(effects, { language, t: (key, values) => fill(propertiesText[language][key], values) });
  t.equal(message({}), 'Saved.');
  t.equal(message({ difficulty: 'now', gamemode: 'now' }), 'Saved and in effect.');
  t.equal(message({ motd: 'restart' }), 'Saved. Takes effect at the next start.');
  t.equal(message({ 'level-seed': 'new-world' }), 'Saved. Applies to new worlds.');
  t.equal(
    message({ difficulty: 'now', 'of-a-mod': 'restart', gamemode: 'now' }),
    'Saved. In effect: Difficulty and Game mode. At the next start: of-a-mod.',
  );
  t.equal(
    message({ difficulty: 'now', motd: 'restart' }, 'de'),
    'Gespeichert. Gilt ab sofort: Schwierigkeit. Gilt ab dem nächsten Start: Nachricht des Tages (MOTD).',
  );
});

t.test('names what was not put back', async (t) => {
  const message = (restored: string[], skipped: string[]) =>
    restoredMessage(
      { restored, skipped },
      { language: 'de', t: (key, values) => fill(propertiesText.de[key], values) },
    );
  t.equal(message(['motd'], []), 'Die vorherigen Werte sind wiederhergestellt.');
  t.match(message(['motd'], ['difficulty', 'of-a-mod']), /außer .*: Schwierigkeit und of-a-mod\.$/);
  t.match(message([], ['difficulty']), /^Nichts wiederhergestellt\. .*: Schwierigkeit\.$/);
});
