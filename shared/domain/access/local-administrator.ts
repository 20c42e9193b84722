/** Name of the caller on the private sockets (mode 0600). No user name has a space. */
export const COMMAND_LINE = 'command line';
