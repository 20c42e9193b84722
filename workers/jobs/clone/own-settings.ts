import { isUtf8 } from 'node:buffer';
import path from 'node:path';
import { PropertiesEditor } from 'properties-file/editor';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { replaceServerFile } from '../../../shared/node/files/server/replace-server-file.ts';
import { readServerFile } from '../../../shared/node/files/server/server-file.ts';

/** Settings that a copy must not share with the original. */
export interface OwnSettings {
  port: number;
  rcon: { port: number; password: string };
  /** 40 letters and digits, as vanilla creates it. */
  managementSecret: string;
}

/**
 * Gives a copied server its own ports and secrets, in the lines of `server.properties` that set one. The rest of the file stays as it is,
 * and a missing file is not created. Throws `invalid_state` if the file cannot be parsed: the copy would have the original's secrets.
 */
export async function writeOwnSettings(folder: string, own: OwnSettings): Promise<void> {
  const file = path.join(folder, 'server.properties');
  const bytes = await readServerFile(file);
  if (bytes === undefined) return;
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
  const text = withOwnSettings(bytes.toString(encoding), own);
  await replaceServerFile(file, Buffer.from(text, encoding));
}

function withOwnSettings(text: string, { port, rcon, managementSecret }: OwnSettings): string {
  const editor = editorOf(text);
  const values: Record<string, string> = {
    'server-port': String(port),
    // Bedrock's second port.
    'server-portv6': String(port + 1),
    'query.port': String(port),
    'rcon.port': String(rcon.port),
    'rcon.password': rcon.password,
    // 0: the server picks a free port.
    'management-server-port': '0',
    'management-server-secret': managementSecret,
  };
  for (const [key, value] of Object.entries(values)) {
    const before = editor.getEffectiveProperty(key)?.value;
    // An empty secret stays empty: it is not wanted, or the server creates it.
    if (before) editor.update(key, { newValue: value, escapeUnicode: true });
  }
  return editor.format();
}

function editorOf(text: string): PropertiesEditor {
  try {
    return new PropertiesEditor(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new GamekeeperError('invalid_state', `server.properties cannot be understood: ${why}.`, {
      resolution: 'Correct the file by hand: a backslash before a "u" must be doubled.',
      cause,
    });
  }
}
