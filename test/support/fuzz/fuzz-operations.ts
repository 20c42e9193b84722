import fc from 'fast-check';
import type { OpenApiDocument } from '../../../gateway/openapi/types.ts';
import { type DescribedOperation, operationsOf } from '../openapi/described-operations.ts';
import type { FaultFinder, FuzzAnswer } from './answer-faults.ts';
import { type FuzzRequest, fuzzRequests } from './fuzz-request.ts';
import { addressOf, type FuzzTarget, sendFuzz } from './send-fuzz.ts';

/** The subject of a fuzz test, and how to fuzz it. */
export interface FuzzedWorld {
  document: OpenApiDocument;
  target: FuzzTarget;
  faults: FaultFinder;
  /** Number of parallel requests, each to another operation. Only with 1 is a failure exactly reproducible. */
  concurrency: number;
  /** Returns how many requests an operation gets: 0 if they would end the test itself. */
  runs(operation: DescribedOperation): number;
  /** Removes everything from a request that would have effects outside of this test. */
  tamed?(operation: DescribedOperation, fuzz: FuzzRequest): FuzzRequest;
  /** Creates again what a request may have deleted. */
  mended?(operation: DescribedOperation, fuzz: FuzzRequest, answer: FuzzAnswer): Promise<void> | void;
}

export interface FuzzResult {
  sent: number;
  /** Number of responses by operation and status, such as `GET /health 200`. */
  answers: Map<string, number>;
  /** The share of operations with at least one success, of those that a single request can make succeed. */
  succeeding: number;
  /** One text for each faulty operation, with the smallest request that shows the fault and how to repeat it. */
  failures: string[];
}

/**
 * Needs the headers of the tus protocol, something that only an earlier request can have made, or an answer of Modrinth: file-uploads.test.ts,
 * import-uploads.test.ts, files.test.ts, modpacks.test.ts.
 */
const TESTED_ELSEWHERE =
  /^(?:v1)?(?:(?:create|get|continue|cancel)(?:Import)?Upload|searchModpacks|listModpackVersions|createFromModpack|restoreFile|deleteFromTrash|extractArchive|replaceWorld|resetWorld|readFileVersion|restoreFileVersion)$/i;

/** Time limit for finding a smaller request with the same fault. Milliseconds. */
const SHRINKING_MS = 5_000;

/**
 * `GAMEKEEPER_FUZZ` is `random`, a seed, or `<operationId> <seed> <path>` as printed by a failure, which repeats that request. The default
 * is a fixed seed, so that a failure is caused by the change under test.
 */
const [first = '', seed, path = ''] = (process.env.GAMEKEEPER_FUZZ ?? '20261120').split(' ');
const only = seed === undefined ? undefined : { operationId: first, path };

/** The seed, which the test must print so that its run can be repeated. */
export const FUZZ_SEED = first === 'random' ? Date.now() % 2 ** 31 : Number(seed ?? first);

/** Sends requests generated from the document's schemas to all of its operations. */
export async function fuzzOperations(world: FuzzedWorld): Promise<FuzzResult> {
  const result: FuzzResult = { sent: 0, answers: new Map(), succeeding: 0, failures: [] };
  const operations = operationsOf(world.document).filter(
    ({ operation }) => only === undefined || only.operationId === operation.operationId,
  );
  const waiting = operations.entries();
  const work = async () => {
    for (const [index, operation] of waiting)
      if (world.runs(operation) > 0)
        await fuzzOne(world, operation, { result, seed: only ? FUZZ_SEED : FUZZ_SEED + index });
  };
  await Promise.all(Array.from({ length: world.concurrency }, work));
  const kinds = [...result.answers.keys()];
  const possible = operations.filter(({ operation }) => !TESTED_ELSEWHERE.test(operation.operationId));
  const succeeded = possible.filter(({ name }) => kinds.some((kind) => kind.startsWith(`${name} 2`)));
  result.succeeding = succeeded.length / possible.length;
  return result;
}

async function fuzzOne(
  world: FuzzedWorld,
  operation: DescribedOperation,
  { result, seed }: { result: FuzzResult; seed: number },
): Promise<void> {
  const { document, target, faults, tamed = (_, fuzz) => fuzz, mended } = world;
  let last = '';
  const property = fc.asyncProperty(fuzzRequests(operation, document), async (generated) => {
    const fuzz = tamed(operation, generated);
    const address = addressOf(operation, fuzz, target);
    const answer = await sendFuzz(operation, fuzz, { target, address });
    result.sent++;
    const kind = `${operation.name} ${answer.status}`;
    result.answers.set(kind, (result.answers.get(kind) ?? 0) + 1);
    const wrong = faults.faults(operation, { address, ...sentOf(fuzz) }, answer);
    last = `${address}\n  -> ${answer.status} ${answer.body.slice(0, 500)}`;
    await mended?.(operation, fuzz, answer);
    if (wrong.length > 0) throw new Error(wrong.join('; '));
  });
  const found = await fc.check(property, {
    numRuns: world.runs(operation),
    endOnFailure: true,
    seed,
    ...(only && { path: only.path }),
  });
  if (!found.failed) return;
  const smaller = await fc.check(property, {
    seed: found.seed,
    path: found.counterexamplePath ?? '',
    interruptAfterTimeLimit: SHRINKING_MS,
    markInterruptAsFailure: true,
  });
  const details = smaller.failed && smaller.counterexample ? smaller : found;
  const { counterexample, counterexamplePath, errorInstance } = details;
  const what = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  result.failures.push(
    `${operation.name}: ${what}\n  ${JSON.stringify(counterexample?.[0]).slice(0, 1_000)}\n  ${last}\n  again: GAMEKEEPER_FUZZ="${operation.operation.operationId} ${details.seed} ${counterexamplePath}"`,
  );
}

function sentOf({ headers, body }: FuzzRequest) {
  const requestId = headers['x-request-id'];
  if (body === undefined || body.text === '') return { requestId, json: undefined };
  try {
    return { requestId, json: JSON.parse(body.text) as unknown };
  } catch {
    return { requestId, json: undefined }; // Malformed on purpose.
  }
}
