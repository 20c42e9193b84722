/** Some 5,000 hostile names for every operation of the file layer: each is refused, or names one entry inside the server's folder. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import type { FileHandles } from '../../shared/contract/file-handles.ts';
import { filePathProblem } from '../../shared/domain/files/file-path.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { bytesOf } from '../../shared/node/files/file-name.ts';
import { createLogger } from '../../shared/node/logger.ts';
import type { ServerFolders } from '../../workers/files/folder/server-folders.ts';
import { createFileHandles } from '../../workers/files/handles/service.ts';
import { createFilesService } from '../../workers/files/service.ts';
import { createStaging } from '../../workers/files/staging/staging.ts';
import { createUploadPlaces } from '../../workers/files/uploads/upload-places.ts';
import { createUploads } from '../../workers/files/uploads/uploads.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';

const SECRET = 'of another server';
const NEVER = new AbortController().signal;
const id = 'demo';

/** What a name does, to be put in front of, behind or between others. */
const PIECES = [
  ...[
    '..',
    '.',
    '...',
    '....',
    '. .',
    '.. ',
    ' ..',
    '..\t',
    '..\0',
    '..;',
    '..%2f',
    '%2e%2e',
    '%2e%2e%2f',
    '%252e%252e',
    '..%00',
  ],
  ...[
    '..\\',
    '\\..',
    '..\\..',
    '\\',
    '\\\\server\\share',
    '//server/share',
    '/',
    '//',
    '/etc/passwd',
    '~',
    '~root',
    '$HOME',
    '`id`',
  ],
  ...[
    'C:',
    'C:\\',
    'C:/Windows',
    'c:secret',
    'file:///etc/passwd',
    '\\\\?\\C:\\',
    '\\\\.\\pipe\\x',
    'a:stream',
    'a::$DATA',
  ],
  ...['CON', 'con', 'PRN', 'AUX', 'NUL', 'nul.txt', 'COM1', 'COM¹', 'LPT9.log', 'CONIN$', 'aux .txt', 'com0'],
  ...[
    '\u2024\u2024',
    '\uff0e\uff0e',
    '\u2025',
    '\u2026',
    '\uff0f',
    '\u2215',
    '\u2044',
    '\u29f8',
    '\uff3c',
    '\u2216',
    '\uff5e',
  ],
  ...[
    'e\u0301',
    '\u00e9',
    '\u212b',
    '\u00c5',
    'A\u030a',
    '\ufb01',
    'fi',
    '\u017f',
    'ß',
    'SS',
    'İ',
    'i\u0307',
    '\u0130',
  ],
  ...[
    '\u202e',
    '\u200b',
    '\u200d',
    '\u2066',
    '\ufeff',
    '\u00ad',
    '\u034f',
    '\u2028',
    '\u2029',
    '\ue000',
    '\u{1f600}',
    '\u{e0001}',
  ],
  ...['\ud800', '\udfff', '\udc00', '\udc2e\udc2e', '\udc2f', '\udc7f', '\udc80', '\udcff', '\ud800\udc2f', 'a\udbff'],
  ...['\0', '\u0001', '\u0007', '\u0008', '\t', '\n', '\r', '\r\n', '\u001b[2J', '\u007f', '\u0085', '\u009b'],
  ...[
    '.gamekeeper-files',
    '.GAMEKEEPER-FILES',
    '.gamekeeper-files/trash',
    '.gamekeeper-restore-1',
    '\uff0egamekeeper-files',
  ],
  ...[
    '.gamekeeper\u2010files',
    '.game\u200bkeeper-files',
    '.gamekeeper-\ufb01les',
    '.gamekeeper-staged-1',
    '.gamekeeper\ufe63files',
  ],
  ...[
    '-rf',
    '--',
    '*',
    '?',
    '<',
    '>',
    '|',
    '"',
    "'",
    '&',
    ';',
    ' ',
    'a ',
    'a.',
    'a. .',
    '.a',
    'a'.repeat(255),
    'é'.repeat(128),
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'null',
    'undefined',
    'true',
    '-1',
    '1e999',
    'proc/self/environ',
    'dev/null',
  ],
  ...[
    'a'.repeat(256),
    '\u{1f600}'.repeat(64),
    'a/'.repeat(2_100),
    '../'.repeat(300),
    './'.repeat(100),
    `${'a/'.repeat(120)}b`,
  ],
];
const SHAPES: ((piece: string) => string)[] = [
  (piece) => piece,
  (piece) => `${piece}/x`,
  (piece) => `x/${piece}`,
  (piece) => `folder/${piece}`,
  (piece) => `folder/${piece}/x`,
  (piece) => `${piece}/../x`,
  (piece) => `../${piece}`,
  (piece) => `/${piece}`,
  (piece) => `${piece}/`,
  (piece) => `${piece}//x`,
  (piece) => `x${piece}`,
  (piece) => `${piece}x`,
  (piece) => `${piece}${piece}`,
  (piece) => ` ${piece} `,
  (piece) => `${piece}.`,
  (piece) => piece.toUpperCase(),
  (piece) => piece.normalize('NFD'),
  (piece) => piece.normalize('NFKC'),
  (piece) => `folder/../../${piece}`,
  (piece) => `link/${piece}`,
  (piece) => `file/${piece}`,
];
const combined = PIECES.flatMap((one, index) =>
  [3, 11, 29, 53].map((step) => `${one}${PIECES[(index + step) % PIECES.length]}`),
);
const NAMES = [
  ...new Set([
    ...PIECES.flatMap((piece) => SHAPES.map((shape) => shape(piece))),
    ...combined,
    ...combined.map((name) => `folder/${name}`),
    ...combined.map((name) => `${name}/x`),
  ]),
];

const outside = temporaryFolder(t);
const root = path.join(outside, 'server');
for (const folder of ['server/folder', 'other']) mkdirSync(path.join(outside, folder), { recursive: true });
writeFileSync(path.join(outside, 'other/x'), SECRET);
writeFileSync(path.join(outside, 'x'), SECRET);

const folders: ServerFolders = {
  all: async () => [id],
  toRead: async () => root,
  toChange: async () => root,
  secrets: async () => [],
};
const now = Date.now;
const log = createLogger({ name: 'test', level: 'silent' });
const handles: FileHandles = createFileHandles({ folders, log, now });
const peer = { onClose: () => () => undefined } as unknown as Parameters<FileHandles['openFolder']>[1];
const files = createFilesService({
  ...{ folders, handles, now },
  staging: createStaging({ folders, log }),
  uploads: createUploads({ places: createUploadPlaces(folders, { imports: path.join(outside, 'imports') }), now }),
});

/** Each leaves the folder as it was, or tidies up. */
const OPERATIONS: Record<string, (name: string) => Promise<unknown>> = {
  list: (name) => files.list({ instanceId: id, path: name, sort: 'name', order: 'asc', limit: 10 }, NEVER),
  search: (name) => files.search({ instanceId: id, path: name, name: 'x', limit: 10, isMasked: false }, NEVER),
  usage: (name) => files.usage({ instanceId: id, path: name }, NEVER),
  look: (name) => files.look({ instanceId: id, path: name }),
  history: async (name) => files.history({ instanceId: id, path: name }),
  restoreVersion: (name) => files.restoreVersion({ instanceId: id, path: name, version: '../../x' }),
  makeFolder: async (name) => {
    await files.makeFolder({ instanceId: id, path: name });
    if (!name.includes('/') && !namesOnly(name)) throw new Error('it names another entry');
    await files.remove({ instanceId: id, path: name, isPermanent: true, by: 'admin' });
  },
  'move to': async (name) => {
    await files.move({ instanceId: id, from: 'file', to: name });
    if (name !== 'file') await files.move({ instanceId: id, from: name, to: 'file' });
  },
  'move from': (name) => files.move({ instanceId: id, from: name, to: 'moved' }),
  'copy to': async (name) => {
    await files.copy({ instanceId: id, from: 'file', to: name }, NEVER);
    await files.remove({ instanceId: id, path: name, isPermanent: true, by: 'admin' });
  },
  'copy from': (name) => files.copy({ instanceId: id, from: name, to: 'copied' }, NEVER),
  remove: (name) => files.remove({ instanceId: id, path: name, isPermanent: false, by: 'admin' }),
  upload: async (name) => {
    const { uploadId } = await files.createUpload({ instanceId: id, path: name, sizeBytes: 1 });
    await files.removeUpload({ instanceId: id, uploadId });
  },
  attributes: (name) => files.attributes({ instanceId: id, path: name }),
  setAttributes: (name) => files.setAttributes({ instanceId: id, path: name, change: { mode: 0o600 } }),
  readLink: (name) => files.readLink({ instanceId: id, path: name }),
  'replace from': (name) => files.replace({ instanceId: id, from: name, to: 'replaced' }),
  openFolder: async (name) => {
    const { handle } = await files.openFolder({ instanceId: id, path: name }, peer);
    await files.closeHandle({ handle, isWhole: false }, peer);
  },
  restoreFromTrash: (name) => files.restoreFromTrash({ instanceId: id, trashId: name }),
};
/** Slow, since they write to the disk or copy: only for some of the names. */
const SLOW = new Set(['copy to', 'upload']);
const EVERY = 20;
/** What needs the folder's own entries does not get their names. */
const OWN = new Set(['', 'file', 'folder']);

t.test(`${NAMES.length} hostile names stay inside the folder, whatever is done with them`, async (t) => {
  t.ok(NAMES.length > 4_500, 'enough of them');
  writeFileSync(path.join(root, 'file'), 'mine');
  const unclear: string[] = [];
  const allowed: string[] = [];
  for (const [index, name] of NAMES.filter((each) => !OWN.has(each)).entries()) {
    const isRefused = filePathProblem(name, process.platform) !== undefined;
    for (const [operation, run] of Object.entries(OPERATIONS)) {
      if (SLOW.has(operation) && index % EVERY !== 0) continue;
      const outcome = await run(name).then(
        () => 'done',
        (error: unknown) => (error instanceof GamekeeperError ? error.code : String(error)),
      );
      const isClear = ['done', 'invalid_path', 'file_not_found', 'file_exists'].includes(outcome);
      const isFine = !isRefused || outcome === 'invalid_path' || operation === 'restoreFromTrash';
      if (!isClear || !isFine) unclear.push(`${operation} ${JSON.stringify(name).slice(0, 80)}: ${outcome}`);
      if (operation === 'makeFolder' && outcome === 'done') allowed.push(name);
    }
  }
  t.same(unclear.slice(0, 20), [], 'each answer is clear, and bad names are refused by all');
  t.ok(allowed.length > 500, `harmless ones are allowed: ${allowed.length}`);
  t.same(readdirSync(outside).sort(), ['other', 'server', 'x'], 'nothing appears outside');
  for (const file of ['other/x', 'x']) t.equal(readFileSync(path.join(outside, file), 'utf8'), SECRET);
  t.same(readdirSync(root).sort(), ['.gamekeeper-files', 'file', 'folder'], 'nothing is left inside');
  t.equal(readFileSync(path.join(root, 'file'), 'utf8'), 'mine');
});

/** Returns true if the only entry beside the usual ones has exactly this name. */
function namesOnly(name: string): boolean {
  const bytes = bytesOf(name);
  const made = readdirSync(root, { encoding: 'buffer' }).filter(
    (each) => !['.gamekeeper-files', 'file', 'folder'].includes(each.toString()),
  );
  return made.length === 1 && made[0]!.equals(typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
}
