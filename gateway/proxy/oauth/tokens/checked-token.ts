/** What a valid access token says. */
export interface CheckedToken {
  accountId: string;
  grantId: string;
  clientId: string;
  scopes: string[];
  expiresAt: Date;
}
