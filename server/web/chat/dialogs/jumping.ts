import { createEffect, createMemo, createSignal } from 'solid-js'
import { unwrap } from 'solid-js/store'
import { t } from '../../language/language.js'
import type { IconName } from '../../look/icon.js'
import { rankOf } from '../../state/completion.js'
import { channelTyped, type JumpPlace, jumpPlaces } from '../../state/jump.js'
import type { Chat } from '../chat.js'
import { type Choosing, createChoosing } from '../choosing.js'
import { quotation, writeIn } from '../message-deeds.js'
import { channelName, conversationName } from '../names.js'
import { fetchTopics } from '../topics.js'
import type { View } from '../view.js'
import { commandsFor } from './commands.js'

/** A place or a command. */
export interface JumpChoice {
  readonly title: string
  readonly hint?: string
  readonly place?: JumpPlace
  readonly icon?: IconName
  work(): unknown
}

/** The places and commands that what the user types may mean. */
interface Jumping {
  readonly choosing: Choosing<JumpChoice>
  typed(words: string): void
}

/** `go`: what a place is chosen for. */
export function createJumping(
  chat: Chat,
  view: View,
  hasCommands: boolean,
  go: (place: JumpPlace) => unknown,
): Jumping {
  const [words, setWords] = createSignal('')
  const channelId = () => channelTyped(unwrap(chat.state), words())
  createEffect(() => {
    const id = channelId()
    if (id !== undefined) fetchTopics(chat, id).catch(chat.sayFailure)
  })
  const choices = createMemo<readonly JumpChoice[]>(() => {
    // Topics arrive while the dialog is open; everything else is as it was when the words were typed.
    void chat.state.topics[channelId() ?? -1]
    const places = jumpPlaces(unwrap(chat.state), words()).map(
      (place): JumpChoice => ({ ...describe(chat, place), place, work: () => go(place) }),
    )
    if (!hasCommands) return places
    const typed = words().trim()
    const commands = commandsFor(chat, view).filter(({ title }) => rankOf(title, typed) >= 0)
    return typed === '' ? [...places.slice(0, 8), ...commands.slice(0, 6)] : [...places, ...commands].slice(0, 14)
  })
  const choosing = createChoosing(choices, 0)
  return {
    choosing,
    typed(text) {
      setWords(text)
      choosing.choose(0)
    },
  }
}

function describe({ state }: Chat, { narrow, name }: JumpPlace): { title: string; hint?: string } {
  switch (narrow.kind) {
    case 'channel':
      return state.subscriptions[narrow.channelId] ? { title: name } : { title: name, hint: t('jump.notSubscribed') }
    case 'topic':
      return { title: name, hint: t('jump.inChannel', channelName(state, narrow.channelId)) }
    case 'direct':
      return { title: conversationName(state, narrow.key) }
  }
}

/** Opens a place and puts quotes of messages behind the text in its composer. @throws {RequestError} */
export async function forwardTo(chat: Chat, view: View, ids: readonly number[], { narrow }: JumpPlace): Promise<void> {
  const quotes = await quotation(
    chat,
    ids.flatMap(id => chat.state.messages[id] ?? []),
  )
  view.selection.clear()
  writeIn(view, narrow, quotes)
}
