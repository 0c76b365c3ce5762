import type { EditHistoryEntry, MessageSnapshot } from '../../shared/resources/message.js'
import { htmlDifference } from '../text/html-difference.js'

/** A message as it is now. `edits`: its visible edits, newest first. */
interface PresentMessage {
  readonly content: string
  readonly rendered_content: string
  readonly topic: string
  readonly sender_id: number
  /** When it was sent, in UNIX seconds. */
  readonly timestamp: number
  readonly edits: readonly EditHistoryEntry[]
}

/**
 * The states of a message, oldest first, each with what its edit changed. If the reader may not see the oldest edits, the first state is
 * the one after them.
 */
export function messageSnapshots(message: PresentMessage): MessageSnapshot[] {
  let { content, rendered_content, topic } = message
  const snapshots: MessageSnapshot[] = []
  for (const edit of message.edits) {
    const { prev_content, prev_rendered_content, prev_topic, prev_stream, stream, user_id, timestamp } = edit
    const isRewritten = prev_content !== undefined && prev_rendered_content !== undefined
    snapshots.push({
      content,
      rendered_content,
      topic,
      user_id,
      timestamp,
      ...(isRewritten && {
        prev_content,
        prev_rendered_content,
        content_html_diff: htmlDifference(prev_rendered_content, rendered_content),
      }),
      ...(prev_topic !== undefined && { prev_topic }),
      ...(prev_stream !== undefined && stream !== undefined && { prev_stream, stream }),
    })
    if (isRewritten) {
      content = prev_content
      rendered_content = prev_rendered_content
    }
    topic = prev_topic ?? topic
  }
  const { sender_id: user_id, timestamp } = message
  snapshots.push({ content, rendered_content, topic, user_id, timestamp })
  return snapshots.reverse()
}
