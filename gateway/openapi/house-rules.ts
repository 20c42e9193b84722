/** The rules that apply to every operation. Shown in the OpenAPI document (as Markdown) and on `/docs`. */
export const HOUSE_RULES: readonly { title: string; text: string }[] = [
  {
    title: 'Bodies',
    text: 'JSON in UTF-8 with `content-type: application/json`, uncompressed, at most 1 MiB (sign-in and sign-out: 16 KiB). Anything else is 415 or 413. An empty body counts as no body, whatever its content type. Unknown fields are 400.',
  },
  {
    title: 'Addresses',
    text: 'Paths are case-sensitive and have no slash at the end. Ids may be percent-encoded. Unknown query parameters are ignored; a known one that is given twice is 400. HEAD works wherever GET does. Other methods are 405 with `Allow`, and so is OPTIONS: pages of other sites get no access.',
  },
  {
    title: 'Answers',
    text: 'JSON, whatever `Accept` says. Later versions may add fields: ignore those that you do not know. Every answer carries `x-request-id`, and so do the logs. Send your own (up to 64 letters, digits, dots, dashes and underscores) to set it.',
  },
  {
    title: 'Errors',
    text: 'Every answer from 400 up is an ErrorResponse of type `application/problem+json`. Programs use `code`; show `detail` and `resolution` to people; `type` links to the explanation.',
  },
  {
    title: 'Rights',
    text: 'An operation needs its scope, and for users also the role that it names. Users can be limited to some instances, and can have another role on single ones. Other instances do not exist for them: 404, and absent from lists and events. Operations that concern all instances are 403. A token has the present rights of the user who created it, limited to its own scopes.',
  },
  {
    title: 'Long work',
    text: 'Backup, restore, verify and similar operations return when they are done. With `Prefer: respond-async` they return 202 at once, with the job to watch in `Location`.',
  },
  {
    title: 'Limits',
    text: 'Too many requests with one credential are 429 with `Retry-After`. The request line and headers are limited to 16 KiB (431) and 15 seconds, the whole request to two minutes (408).',
  },
];
