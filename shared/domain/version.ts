/** Version of Gamekeeper and of the OpenAPI document. */
export const VERSION = '1.9.9';
