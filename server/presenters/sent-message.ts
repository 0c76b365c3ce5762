import type { VisibilityPolicy } from '../../shared/resources/user-topic.js'

export interface SentMessage {
  readonly id: number
  /** The sender's new visibility policy for the topic; undefined: unchanged. */
  readonly newPolicy: VisibilityPolicy | undefined
  /** Undefined: an earlier request has sent it. */
  readonly sentAt?: Date
}

/** The fields of the answer to a sent message. */
export const sentMessage = ({ id, newPolicy }: SentMessage) => ({
  id,
  ...(newPolicy !== undefined && { automatic_new_visibility_policy: newPolicy }),
})
