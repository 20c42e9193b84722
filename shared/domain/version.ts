export const VERSION = '1.9.9';
