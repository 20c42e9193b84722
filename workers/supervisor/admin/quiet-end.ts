/** UTF-16 units. The rest of a longer answer is dropped. */
const LONGEST_ANSWER = 1024 * 1024;

/** Collects an answer that has no mark at its end: it is complete when nothing more has come for a time. */
export interface QuietEnd {
  done: Promise<string>;
  add(text: string): void;
  fail(error: unknown): void;
}

/** `quietMs`: from the last part of the answer to its end. The time begins with the first part. */
export function createQuietEnd(quietMs: number): QuietEnd {
  const { promise: done, resolve, reject } = Promise.withResolvers<string>();
  done.catch(() => undefined); // a failure after the end
  let text = '';
  let timer: NodeJS.Timeout | undefined;
  return {
    done,
    add(part) {
      text = (text + part).slice(0, LONGEST_ANSWER);
      clearTimeout(timer);
      timer = setTimeout(() => resolve(text), quietMs);
    },
    fail(error) {
      clearTimeout(timer);
      reject(error);
    },
  };
}
