import { createEffect, createSignal, on } from 'solid-js'
import { channelOf } from '../../state/channels.js'
import { setMembers } from '../../state/members.js'
import type { Chat } from '../chat.js'

const tries = 3

/**
 * Fetches the subscribers of a channel unless the state has them; events keep them in step afterwards.
 * @returns why they could not be fetched; empty while all is well
 */
export function keepMembers(chat: Chat, channelId: () => number | undefined): () => string {
  const [error, setError] = createSignal('')
  const missing = () => {
    const id = channelId()
    const channel = id === undefined ? undefined : channelOf(chat.state, id)
    return channel && !channel.subscribers && chat.phase() === 'live' ? channel.stream_id : undefined
  }
  createEffect(
    on(missing, id => {
      setError('')
      if (id !== undefined) fetchMembers(chat, id).catch(failure => setError((failure as Error).message))
    }),
  )
  return error
}

/** Repeats the request if subscribers changed meanwhile: the answer may be older or newer than these events. */
async function fetchMembers(chat: Chat, id: number): Promise<void> {
  let changes = 0
  const stop = chat.client.on('subscription', () => changes++)
  try {
    for (let at = 0; at < tries; at++) {
      const before = changes
      const answer = await chat.ask('GET', `/streams/${id}/members`)
      if (changes !== before && at < tries - 1) continue
      return chat.change(state => setMembers(state, id, answer.subscribers as number[]))
    }
  } finally {
    stop()
  }
}
