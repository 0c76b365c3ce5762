import { createEffect, createMemo, createSignal } from 'solid-js'
import { unwrap } from 'solid-js/store'
import { t } from '../../language/language.js'
import type { IconName } from '../../look/icon.js'
import { rankOf } from '../../state/completion.js'
import { channelTyped, type JumpPlace, jumpPlaces } from '../../state/jump.js'
import type { Hit } from '../../state/settings-place.js'
import type { Chat } from '../chat.js'
import { type Choosing, createChoosing } from '../choosing.js'
import { quotation, writeIn } from '../message-deeds.js'
import { channelName, conversationName } from '../names.js'
import { fetchTopics } from '../topics.js'
import type { View } from '../view.js'
import type { Command } from './commands.js'

/** A place, a command or a setting. */
export interface JumpChoice extends Partial<Command> {
  readonly title: string
  readonly place?: JumpPlace
  readonly icon?: IconName
  work(): unknown
}

const mostChoices = 14
const mostSettings = 6

/** The places and commands that what the user types may mean. */
interface Jumping {
  readonly choosing: Choosing<JumpChoice>
  typed(words: string): void
}

/** `go`: what a place is chosen for. Without `commands` only places are found. */
export function createJumping(
  chat: Chat,
  view: View,
  commands: (() => readonly Command[]) | undefined,
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
    if (!commands) return places
    const typed = words().trim()
    if (typed === '') return [...places.slice(0, 8), ...commands()]
    const found = commands().filter(({ title }) => rankOf(title, typed) >= 0)
    return [...places, ...found, ...settingsFor(typed)].slice(0, mostChoices)
  })
  // All that the page of settings knows, loaded when the user begins to look for something.
  const [findHits, setFindHits] = createSignal<(words: string) => Hit[]>()
  const settingsFor = (typed: string) =>
    (findHits()?.(typed) ?? []).slice(0, mostSettings).map(
      ({ place, title, within }): JumpChoice => ({
        icon: 'sliders',
        title,
        hint: within,
        work: () => view.openSettings(place),
      }),
    )
  let isLoading = false
  const choosing = createChoosing(choices, 0)
  return {
    choosing,
    typed(text) {
      if (commands && !isLoading) {
        isLoading = true
        void chat.attempt(async () => {
          const find = await view.loadSettings()
          setFindHits(() => find)
        })
      }
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
