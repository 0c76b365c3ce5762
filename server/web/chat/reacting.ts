import { createEffect, on, onCleanup } from 'solid-js'
import { RequestError } from '../../../shared/client/index.js'
import type { LaterReaction } from '../state/chat-state.js'
import { forgetReaction } from '../state/reacting.js'
import type { Chat } from './chat.js'
import { askReaction } from './emoji/toggle-reaction.js'
import { isTemporary, repeatDelayMs } from './temporary.js'

// The reaction is as the user wants it: another device was faster, or the answer to an earlier request was lost.
const isSo: ReadonlySet<string> = new Set(['REACTION_ALREADY_EXISTS', 'REACTION_DOES_NOT_EXIST'])

/** Makes the reactions that wait for a connection, one after the other, as soon as there is one. */
export function keepReacting(chat: Chat): void {
  let isBusy = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const send = async ({ messageId, isAdded, ...emoji }: LaterReaction): Promise<number | undefined> => {
    try {
      await askReaction(chat, messageId, emoji, isAdded)
    } catch (error) {
      if (isTemporary(error)) return error.retryAfterMs ?? repeatDelayMs
      if (!(error instanceof RequestError && isSo.has(error.code))) chat.sayFailure(error)
    }
    chat.change(state => forgetReaction(state, { messageId, isAdded, ...emoji }))
    return undefined
  }
  const run = async () => {
    clearTimeout(timer)
    if (isBusy) return
    isBusy = true
    let delayMs: number | undefined
    for (let [next] = chat.state.reacting; next && delayMs === undefined; [next] = chat.state.reacting) {
      if (chat.phase() !== 'live') break
      delayMs = await send({ ...next })
    }
    isBusy = false
    if (delayMs !== undefined) timer = setTimeout(() => void run(), delayMs)
  }
  createEffect(on(chat.phase, phase => phase === 'live' && void run()))
  onCleanup(() => clearTimeout(timer))
}
