import t from 'tap';
import {
  suggestedMemoryGb,
  toModpackRequest,
} from '../../../../../gateway/panel/src/pages/new-server/modpack-values.ts';

const VALUES = { name: ' Calm days ', version: null, memoryGb: 4.5, acceptEula: true, startWhenReady: true };

t.test('a server that may not start is not started, and an empty field is left to the modpack', (t) => {
  const request = { project: 'Pack', name: 'Calm days', memoryMb: 4_608, acceptEula: true, start: true };
  t.same(toModpackRequest('Pack', VALUES), request);
  const { memoryMb: _, ...rest } = request;
  t.same(toModpackRequest('Pack', { ...VALUES, version: 'Pack1', memoryGb: '', acceptEula: false }), {
    ...rest,
    version: 'Pack1',
    acceptEula: false,
    start: false,
  });
  t.end();
});

t.test('the memory follows the version: the chosen one, the newest release, or else the newest', (t) => {
  const one = { version: '1', publishedAt: '2026-11-20T08:15:00.000Z', gameVersions: ['1.21.8'], loaders: ['fabric'] };
  const beta = { ...one, versionId: 'b', channel: 'beta' as const, suggestedMemoryMb: 8_192 };
  const release = { ...one, versionId: 'r', channel: 'release' as const, suggestedMemoryMb: 3_900 };
  t.equal(suggestedMemoryGb([beta, release], null), 3.5, 'in half GB');
  t.equal(suggestedMemoryGb([beta, release], 'b'), 8);
  t.equal(suggestedMemoryGb([beta], null), 8);
  t.equal(suggestedMemoryGb([], null), undefined);
  t.end();
});
