/** Name of whoever may open this installation's private sockets (mode 0600). The space keeps it apart from every user's name. */
export const COMMAND_LINE = 'command line';
