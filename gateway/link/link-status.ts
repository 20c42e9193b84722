/** The link to the paired proxy, as people see it. */
export interface LinkStatus {
  /** `off`: there is no pairing. `refused`: the proxy does not accept this daemon; `error` says why. */
  state: 'off' | 'connecting' | 'connected' | 'refused';
  /** ISO time of the last change of `state`. */
  since: string;
  /** Round trip to the proxy, while connected. */
  latencyMs?: number;
  /** Why there is no connection. */
  error?: string;
}
