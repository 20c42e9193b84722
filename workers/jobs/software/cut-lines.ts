const LINE_END = /\r\n|[\n\r\u2028\u2029]/;

/** Yields the lines of a text, each cut to `longest` characters. Holds no more of a line than that, whether it ends or not. */
export async function* cutLines(text: AsyncIterable<string>, longest: number): AsyncGenerator<string> {
  let line = '';
  for await (const part of text) {
    const [first = '', ...others] = part.split(LINE_END);
    line = joined(line, first, longest);
    for (const other of others) {
      yield line;
      line = joined('', other, longest);
    }
  }
  if (line !== '') yield line;
}

function joined(line: string, more: string, longest: number): string {
  return line + more.slice(0, longest - line.length);
}
