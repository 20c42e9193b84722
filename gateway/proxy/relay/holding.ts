/** Gives the place of a request back if it cannot even be sent: the daemon may be offline, or the link closing. */
export async function holding(leave: () => void, send: () => void | Promise<void>): Promise<void> {
  try {
    await send();
  } catch (error) {
    leave();
    throw error;
  }
}
