import { createEffect, createMemo, createSignal, createUniqueId, For, type JSX, on, Show } from 'solid-js'
import { unwrap } from 'solid-js/store'
import { numberText } from '../../language/format.js'
import { t } from '../../language/language.js'
import { SearchField } from '../../look/search-field.js'
import { channelIdOf, type Narrow, sameNarrow } from '../../state/narrow.js'
import { personOf, presenceOf } from '../../state/people.js'
import { listPeople, peopleOfNarrow } from '../../state/people-panel.js'
import { mayAddMembers } from '../../state/permissions.js'
import { Avatar } from '../avatar.js'
import { useChat } from '../chat.js'
import { nameOf } from '../names.js'
import { useNow } from '../now.js'
import { StatusSign } from '../status-sign.js'
import { useView } from '../view.js'
import { keepMembers } from './members.js'

const shownAtFirst = 100

/** The people of the open place, then others who matter to the user, with a filter that finds all by name. */
export function PeopleList(props: { narrow: Narrow }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const now = useNow()
  const [words, setWords] = createSignal('')
  const channelId = () => channelIdOf(props.narrow)
  const error = keepMembers(chat, channelId)
  let list: HTMLDivElement | undefined
  // While the focus is on a person the order stays: a row that moves would lose it.
  const tick = createMemo<number>(last => {
    const time = now()
    return last && list?.contains(document.activeElement) ? last : time
  })
  const people = createMemo(() => {
    // The order follows presences and new people at each tick of the clock; tracking ten thousand of them would cost more.
    peopleOfNarrow(chat.state, props.narrow)
    return listPeople(unwrap(chat.state), props.narrow, words().trim(), tick())
  })
  const place = () => (props.narrow.kind === 'direct' ? t('people.inConversation') : t('people.inChannel'))
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the buttons in the lists
    <div class="people-list" ref={list} onKeyDown={moveFocus}>
      <SearchField label={t('people.filter')} typed={setWords} />
      <Show when={error()}>
        <p class="notice bad">{error()}</p>
      </Show>
      <Show when={people().here}>
        {here => (
          <Section title={place()} ids={here()} narrow={props.narrow}>
            <Show when={mayAddMembers(chat.state, channelId() ?? -1)}>
              <button
                type="button"
                class="row people-add"
                onClick={() => view.open({ channel: channelId() as number, tab: 'members' })}
              >
                {t('people.add')}
              </button>
            </Show>
          </Section>
        )}
      </Show>
      <Show when={people().others.length > 0}>
        <Section
          title={people().here || people().hasMore ? t('people.others') : t('people.all')}
          ids={people().others}
          narrow={props.narrow}
        />
      </Show>
      <Show when={people().hasMore}>
        <button type="button" class="row people-add" onClick={() => list?.querySelector('input')?.focus()}>
          {t('people.find')}
        </button>
      </Show>
      <Show when={people().others.length === 0 && !people().here?.length}>
        <p class="people-title">{t('people.nothing')}</p>
      </Show>
    </div>
  )
}

interface SectionProps {
  readonly title: string
  readonly ids: readonly number[]
  readonly narrow: Narrow
  readonly children?: JSX.Element
}

function Section(props: SectionProps): JSX.Element {
  const id = createUniqueId()
  const [most, setMost] = createSignal(shownAtFirst)
  let list: HTMLUListElement | undefined
  const showMore = () => {
    const first = most()
    setMost(first + shownAtFirst)
    // The button may be gone now, and the focus with it.
    list?.children[first]?.querySelector('button')?.focus()
  }
  createEffect(
    on(
      () => props.narrow,
      (narrow, before) => {
        if (before && !sameNarrow(narrow, before)) setMost(shownAtFirst)
      },
    ),
  )
  return (
    <section aria-labelledby={id}>
      <h3 class="people-title" id={id}>
        {props.title} <span class="quiet">{numberText(props.ids.length)}</span>
      </h3>
      {props.children}
      <ul class="rows" ref={list}>
        <For each={props.ids.slice(0, most())}>{userId => <Person userId={userId} />}</For>
      </ul>
      <Show when={props.ids.length > most()}>
        <button type="button" class="row people-add" onClick={showMore}>
          {t('people.more', props.ids.length - most())}
        </button>
      </Show>
    </section>
  )
}

function Person(props: { userId: number }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const now = useNow()
  const presence = () => presenceOf(chat.state, props.userId, now())
  const isBot = () => personOf(chat.state, props.userId)?.is_bot === true
  return (
    <li>
      <button
        type="button"
        class="row person-row"
        classList={{ away: !isBot() && presence() === 'offline' }}
        aria-haspopup="dialog"
        onClick={() => view.open({ person: props.userId })}
      >
        <Avatar userId={props.userId} size="small" hasPresence />
        <span class="row-name" dir="auto">
          {nameOf(chat.state, props.userId)}
        </span>
        <Show when={props.userId === chat.state.user_id}>
          <span class="quiet">{t('people.you')}</span>
        </Show>
        <Show when={isBot()} fallback={<span class="unseen">{t(`people.presence.${presence()}`)}</span>}>
          <span class="tag">{t('words.bot')}</span>
        </Show>
        <StatusSign userId={props.userId} />
      </button>
    </li>
  )
}

/** Arrow keys move between the filter and the people, Home and End to the ends of a section, where the button for more people is. */
function moveFocus(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  if (event.altKey || event.ctrlKey || event.metaKey) return
  const section = document.activeElement?.closest('section')
  const end = { Home: 0, End: -1 }[event.key]
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const entries = [...((step ? event.currentTarget : section)?.querySelectorAll<HTMLElement>('input, button') ?? [])]
  const at = entries.indexOf(document.activeElement as HTMLElement)
  const next = step ? entries[Math.max(at + step, 0)] : end !== undefined && entries.at(end)
  if (!next) return
  event.preventDefault()
  next.focus()
}
