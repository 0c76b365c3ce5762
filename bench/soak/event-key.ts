import type { WireEvent } from '../../shared/wire/frames.js'

// The sender puts this mark into its text, so that the event can be identified.
const mark = /\bmark (\w+)/

export const marked = (name: string): string => `mark ${name}`

/** Identifies an event by its type and a name. Null for events that are not checked. */
export function keyOf(event: WireEvent, user: number): string | null {
  switch (event.type) {
    case 'message':
      return byMark(event.type, (event.message as { content: string }).content)
    case 'update_message':
      return byMark(event.type, event.content)
    case 'typing':
      return typeof event.topic === 'string' ? keys.typing(event.topic, String(event.op)) : null
    case 'reaction':
      return keys.reaction(event.message_id as number, event.user_id as number, String(event.op))
    case 'delete_message':
      return keys.deletion((event.message_ids as number[]).join())
    case 'update_message_flags':
      return event.flag === 'starred' ? keys.star(user, String(event.op), (event.messages as number[]).join()) : null
    case 'subscription': {
      if (event.op !== 'add' && event.op !== 'remove') return null
      const [channel] = event.subscriptions as { stream_id: number }[]
      return keys.subscription(user, event.op, channel?.stream_id ?? 0)
    }
    default:
      return null
  }
}

export const keys = {
  message: (name: string) => `message ${name}`,
  edit: (name: string) => `update_message ${name}`,
  typing: (topic: string, op: string) => `typing ${topic} ${op}`,
  reaction: (message: number, user: number, op: string) => `reaction ${message} ${user} ${op}`,
  deletion: (messages: string) => `delete_message ${messages}`,
  star: (user: number, op: string, messages: string) => `update_message_flags ${user} ${op} ${messages}`,
  subscription: (user: number, op: string, channel: number) => `subscription ${user} ${op} ${channel}`,
}

function byMark(type: string, text: unknown): string | null {
  const found = typeof text === 'string' ? mark.exec(text) : null
  return found ? `${type} ${found[1]}` : null
}
