import { createEffect, createSignal, on } from 'solid-js'
import { channelOf } from '../../state/channels.js'
import { setMembers } from '../../state/members.js'
import { askInStep } from '../ask-in-step.js'
import type { Chat } from '../chat.js'

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

async function fetchMembers(chat: Chat, id: number): Promise<void> {
  const { subscribers } = await askInStep(chat, 'subscription', { path: `/streams/${id}/members` })
  chat.change(state => setMembers(state, id, subscribers as number[]))
}
