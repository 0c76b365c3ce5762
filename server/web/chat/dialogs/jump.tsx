import { createEffect, createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import { unwrap } from 'solid-js/store'
import { t } from '../../language/language.js'
import { Icon, type IconName } from '../../look/icon.js'
import { rankOf } from '../../state/completion.js'
import { channelTyped, type JumpPlace, jumpPlaces } from '../../state/jump.js'
import { ConversationFaces } from '../avatar.js'
import { ChannelSign } from '../channel-sign.js'
import { useChat } from '../chat.js'
import { quotation, writeIn } from '../message-deeds.js'
import { channelName, conversationName } from '../names.js'
import { fetchTopics } from '../topics.js'
import { useView } from '../view.js'
import { commandsFor } from './commands.js'
import { Dialog } from './dialog.js'

interface Choice {
  readonly title: string
  readonly hint?: string
  readonly place?: JumpPlace
  readonly icon?: IconName
  work(): unknown
}

/** Goes to a channel, a topic, a person, or runs a command, by its name. With `forward`: writes there with quotes of these messages. */
export function Jump(props: { forward?: readonly number[] }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const [words, setWords] = createSignal('')
  const [at, setAt] = createSignal(0)
  let list: HTMLDivElement | undefined
  // The quotes are made after the dialog has closed.
  const forwarded = props.forward?.flatMap(id => chat.state.messages[id] ?? [])
  createEffect(() => {
    const id = channelTyped(unwrap(chat.state), words())
    if (id !== undefined) fetchTopics(chat, id).catch(chat.sayFailure)
  })
  const go = async ({ narrow }: JumpPlace) => {
    if (!forwarded) return view.go(narrow)
    const quotes = await quotation(chat, forwarded)
    view.selection.clear()
    writeIn(view, narrow, quotes)
  }
  const describe = ({ narrow, name }: JumpPlace): { title: string; hint?: string } => {
    switch (narrow.kind) {
      case 'channel':
        return chat.state.subscriptions[narrow.channelId]
          ? { title: name }
          : { title: name, hint: t('jump.notSubscribed') }
      case 'topic':
        return { title: name, hint: t('jump.inChannel', channelName(chat.state, narrow.channelId)) }
      case 'direct':
        return { title: conversationName(chat.state, narrow.key) }
    }
  }
  const choices = createMemo<readonly Choice[]>(() => {
    // Topics arrive while the dialog is open; everything else is as it was when the words were typed.
    void chat.state.topics[channelTyped(unwrap(chat.state), words()) ?? -1]
    const places = jumpPlaces(unwrap(chat.state), words()).map(
      (place): Choice => ({ ...describe(place), place, work: () => go(place) }),
    )
    if (props.forward !== undefined) return places
    const typed = words().trim()
    const commands = commandsFor(chat, view).filter(({ title }) => rankOf(title, typed) >= 0)
    return typed === '' ? [...places.slice(0, 8), ...commands.slice(0, 6)] : [...places, ...commands].slice(0, 14)
  })
  const run = (choice: Choice | undefined) => {
    if (!choice) return
    view.open(undefined)
    // After the dialog has given the focus back.
    queueMicrotask(() => void chat.attempt(choice.work))
  }
  const keys = (event: KeyboardEvent) => {
    const count = choices().length
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter' && !event.isComposing) run(choices()[at()])
    else if (step !== undefined && count > 0) {
      setAt((at() + step + count) % count)
      list?.children[at()]?.scrollIntoView({ block: 'nearest' })
    } else return
    event.preventDefault()
  }
  return (
    <Dialog title={props.forward === undefined ? t('jump.title') : t('jump.forward')} class="jump">
      <input
        class="input"
        type="search"
        role="combobox"
        aria-label={t('jump.label')}
        dir="auto"
        placeholder={t('jump.placeholder')}
        aria-autocomplete="list"
        aria-expanded={choices().length > 0}
        aria-controls="jump-choices"
        aria-activedescendant={choices().length > 0 ? `jump-${at()}` : undefined}
        maxLength={200}
        autofocus
        onInput={event => {
          setWords(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={keys}
      />
      <p class="quiet">
        <kbd>{t('jump.example')}</kbd> {t('jump.exampleMeaning')}
      </p>
      <div class="jump-choices" id="jump-choices" role="listbox" aria-label={t('jump.choices')} ref={list}>
        <For each={choices()}>
          {(choice, index) => (
            <div
              class="offer"
              id={`jump-${index()}`}
              role="option"
              tabIndex={-1}
              aria-selected={index() === at()}
              onPointerDown={event => event.preventDefault()}
              onClick={() => run(choice)}
              onKeyDown={event => event.key === 'Enter' && run(choice)}
            >
              <span class="offer-sign">
                <Show when={choice.place} fallback={<Icon name={choice.icon ?? 'all'} />}>
                  {place => <Sign place={place()} />}
                </Show>
              </span>
              <span class="row-name" dir="auto">
                {choice.title}
              </span>
              <span class="offer-hint" dir="auto">
                {choice.hint}
              </span>
            </div>
          )}
        </For>
      </div>
      <Show when={choices().length === 0}>
        <p class="quiet">{t('jump.nothing')}</p>
      </Show>
    </Dialog>
  )
}

function Sign(props: { place: JumpPlace }): JSX.Element {
  const channel = () => ('channelId' in props.place.narrow ? props.place.narrow : undefined)
  return (
    <Show
      when={channel()}
      fallback={<ConversationFaces of={'key' in props.place.narrow ? props.place.narrow.key : ''} />}
    >
      {narrow => (
        <Show when={narrow().kind === 'channel'} fallback={<Icon name="topic" />}>
          <ChannelSign id={narrow().channelId} />
        </Show>
      )}
    </Show>
  )
}
