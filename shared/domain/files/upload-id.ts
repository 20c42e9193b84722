/** The id of an upload that arrives in pieces. */
export const UPLOAD_ID = /^[0-9a-f]{32}$/;
