import type { JsonSchema } from './json-schema.ts';

/** What is said of one kind of content. */
export interface OpenApiContent {
  schema?: JsonSchema;
  example?: unknown;
  examples?: Record<string, { $ref: string }>;
}

export interface OpenApiParameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: JsonSchema;
  example?: unknown;
}

export interface OpenApiResponse {
  description: string;
  headers?: Record<string, JsonSchema>;
  content?: Record<string, OpenApiContent>;
}

/** To a component. */
export interface Reference {
  $ref: string;
}

export interface OpenApiOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: OpenApiParameter[];
  requestBody?: { required: boolean; content: Record<string, OpenApiContent> };
  responses: Record<string, OpenApiResponse | Reference>;
}
