/** Why a streamed message has ended (docs/protocol/streamed-messages.md#end). */
export const endReasons = ['finished', 'stopped', 'silent', 'lost', 'edited'] as const

export type EndReason = (typeof endReasons)[number]
