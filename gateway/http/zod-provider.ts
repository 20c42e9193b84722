import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifySchemaCompiler,
  FastifyServerOptions,
  FastifyTypeProvider,
} from 'fastify';
import type * as z from 'zod';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { fieldErrorsOf, isAbsent } from './field-errors.ts';

/** Lets Fastify infer the types of a route's params, query, body and answers from its Zod schemas. */
export interface ZodProvider extends FastifyTypeProvider {
  validator: this['schema'] extends z.ZodType ? z.output<this['schema']> : unknown;
  serializer: this['schema'] extends z.ZodType ? z.input<this['schema']> : unknown;
}

export type Api = FastifyInstance<Server, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodProvider>;

const NAME_OF_PART: Readonly<Record<string, string>> = {
  params: 'Path',
  querystring: 'Query',
  headers: 'Header',
  body: 'Body',
};
const MOST_ISSUES_SHOWN = 3;

/** Validates one part of a request. Fastify passes an absent body as `null`. */
const validatorCompiler: FastifySchemaCompiler<z.ZodType> =
  ({ schema, httpPart = 'body' }) =>
  (data: unknown) => {
    const result = schema.safeParse(data ?? undefined);
    return result.success ? { value: result.data } : { error: invalidRequest(httpPart, result.error) };
  };

const serializerCompiler = () => JSON.stringify;

/** Passed to Fastify on creation, so that Ajv and its serializer are not even loaded. Fastify's types know no other builders. */
export const ZOD_INSTEAD_OF_AJV = {
  compilersFactory: { buildValidator: () => validatorCompiler, buildSerializer: () => serializerCompiler },
} as unknown as NonNullable<FastifyServerOptions['schemaController']>;

/** Returns `invalid_request`, whose detail names each field and the rule that it breaks. */
function invalidRequest(httpPart: string, error: z.ZodError): GamekeeperError {
  const issues = error.issues.slice(0, MOST_ISSUES_SHOWN);
  const detail = `${NAME_OF_PART[httpPart] ?? httpPart}: ${issues.flatMap(explain).join('; ')}.`;
  return new GamekeeperError('invalid_request', detail, { errors: issues.flatMap(fieldErrorsOf) });
}

function explain(issue: z.core.$ZodIssue): string[] {
  const errors = fieldErrorsOf(issue);
  if (errors.length === 0) return [isAbsent(issue) ? 'a JSON object is required' : issue.message];
  return errors.map(({ field, detail }) => `"${field}"${detail.startsWith('is ') ? '' : ':'} ${detail}`);
}
