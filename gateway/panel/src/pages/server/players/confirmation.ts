/** How the answers of Minecraft's servers begin (`playerDonePatterns` in shared/domain/software/kinds), plugins such as Essentials included. */
const CONFIRMATION =
  /^(?:Kicked|Banned|Unbanned|Pardoned|Opped|De-opped|Made|Added|Removed|Player (?:added to|removed from)|(?:Player )?\S+ (?:kicked|banned|unbanned))\b/;

/** Returns whether a server's answer to an action only says that it worked. */
export function isConfirmation(answer: string): boolean {
  return CONFIRMATION.test(answer.replace(/§./g, ''));
}
