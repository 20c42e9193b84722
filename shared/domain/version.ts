/** Version of this Gamekeeper: HealthResponse.version, and the API version of the OpenAPI document (reference-api.md, section 9). */
export const VERSION = '1.9.9';
