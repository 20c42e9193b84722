import type { OpenApiDocument, OpenApiOperation, OpenApiResponse } from '../../../gateway/openapi/types.ts';

/** An operation of an OpenAPI document, with its references followed. */
export interface DescribedOperation {
  /** Such as `GET /instances/{id}`. */
  name: string;
  method: string;
  path: string;
  operation: OpenApiOperation;
  /** Its path in the document. */
  place: readonly string[];
  answers: readonly DescribedAnswer[];
}

export interface DescribedAnswer {
  status: number;
  response: OpenApiResponse;
  place: readonly string[];
}

export function operationsOf({ paths, components }: OpenApiDocument): DescribedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const place = ['paths', path, method];
      const answers = Object.entries(operation.responses).map(([status, answer]) => {
        const name = '$ref' in answer ? (answer.$ref.split('/').at(-1) ?? '') : undefined;
        return {
          status: Number(status),
          response: '$ref' in answer ? components.responses[name ?? '']! : answer,
          place: name === undefined ? [...place, 'responses', status] : ['components', 'responses', name],
        };
      });
      return { name: `${method.toUpperCase()} ${path}`, method: method.toUpperCase(), path, operation, place, answers };
    }),
  );
}
