import { channelOf } from './channels.js'
import type { ChatState } from './chat-state.js'

/** What a move to another channel changes for readers. */
interface MovedAudience {
  /** How many people are subscribed to the new channel. */
  readonly subscribers: number
  /** Whether all members of the organization can read the new channel. */
  readonly isPublic: boolean
  /** User ids; undefined until the page knows the members of both channels. */
  readonly gained: readonly number[] | undefined
  readonly lost: readonly number[] | undefined
}

/** Undefined if a channel is unknown. */
export function audienceOfMove(state: ChatState, from: number, to: number): MovedAudience | undefined {
  const [old, next] = [channelOf(state, from), channelOf(state, to)]
  if (!old || !next) return undefined
  const [before, after] = [old.subscribers, next.subscribers]
  const isPublic = !next.invite_only
  // What all members can read is lost for none of them.
  const lost = () => (isPublic ? [] : without(before ?? [], after ?? []))
  const known = before !== undefined && after !== undefined
  return {
    subscribers: next.subscriber_count,
    isPublic,
    gained: known ? without(after, before) : undefined,
    lost: known ? lost() : undefined,
  }
}

function without(ids: readonly number[], others: readonly number[]): number[] {
  const known = new Set(others)
  return ids.filter(id => !known.has(id))
}
