/** Why the server closes a socket; what a client does next follows from the code (docs/protocol/socket.md#closing-codes). */
export const closeCodes = {
  goingAway: 1001,
  tooLarge: 1009,
  restarting: 1012,
  unauthenticated: 4001,
  protocol: 4002,
  rateLimit: 4003,
  tooSlow: 4008,
  replaced: 4009,
  queueGone: 4010,
} as const

/** Reasons that clients evaluate; all other reasons are for humans. */
export const closeReasons = { restarting: 'restarting' } as const

export type CloseCode = (typeof closeCodes)[keyof typeof closeCodes]
