/// <reference types="node-pty" />

/** The prebuilt fork is installed under the original's name, but its types declare it under its own. */
declare module 'node-pty' {
  export * from '@lydell/node-pty';
}
