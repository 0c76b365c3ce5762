import { createMemo, For, type JSX, Show, Suspense } from 'solid-js'
import { t } from '../../language/language.js'
import { Icon } from '../../look/icon.js'
import { entriesOf, type Inbox, type InboxEntry, type InboxTopic, idsOfInbox, inboxOf } from '../../state/inbox.js'
import type { Narrow } from '../../state/narrow.js'
import type { Section } from '../../state/sections.js'
import { welcomeFor } from '../../state/welcome.js'
import { Avatar, ConversationFaces } from '../avatar.js'
import { ChannelSign } from '../channel-sign.js'
import { useChat } from '../chat.js'
import { laterWithTexts } from '../later.js'
import { markRead } from '../mark-read.js'
import { channelName, conversationName, sectionName, topicName } from '../names.js'
import { Count } from '../sidebar/count.js'
import { useView } from '../view.js'
import { HomeHead } from './home-head.js'
import { LastMoment, LastWords } from './last-message.js'
import { keepNewestMessages } from './newest-messages.js'

const WelcomeCard = laterWithTexts(async () => (await import('./welcome-card.js')).WelcomeCard)

/** What the user has not read: conversations, and topics by channel folder and channel. */
export function InboxPane(): JSX.Element {
  const chat = useChat()
  const view = useView()
  const arrival = createMemo(() => welcomeFor(chat.state, chat.now()))
  const inbox = createMemo(() => inboxOf(chat.state))
  keepNewestMessages(chat, () => entriesOf(inbox()).flatMap(({ ids }) => ids.at(-1) ?? []))
  const isEmpty = () => inbox().direct.length === 0 && inbox().sections.length === 0
  const channelsOf = (section: Section) => inbox().sections.find(one => one.section === section)?.channels ?? []
  return (
    <main class="pane">
      <HomeHead title={t('view.inbox')}>
        <Show when={!isEmpty()}>
          <button
            type="button"
            class="button"
            aria-label={t('readThrough.begin')}
            title={t('readThrough.begin')}
            onClick={view.readThrough.next}
          >
            <Icon name="forth" />
            <span class="wide-only">{t('readThrough.begin')}</span>
          </button>
          <ReadButton ids={idsOfInbox(inbox())} />
        </Show>
      </HomeHead>
      <div class="home-list">
        <Show when={arrival()}>
          {one => (
            <Suspense>
              <WelcomeCard arrival={one()} />
            </Suspense>
          )}
        </Show>
        <Show when={isEmpty() && !arrival()}>
          <EverythingRead />
        </Show>
        <Show when={inbox().direct.length > 0}>
          <Conversations entries={inbox().direct} />
        </Show>
        {/* By ids and names, so that a change of one entry keeps the others, and the focus. */}
        <For each={inbox().sections.map(one => one.section)}>
          {section => (
            <section aria-label={t('home.unreadIn', sectionName(chat.state, section))}>
              <h2 class="home-title" dir="auto">
                {sectionName(chat.state, section)}
              </h2>
              <For each={channelsOf(section).map(channel => channel.channelId)}>
                {channelId => (
                  <Channel
                    id={channelId}
                    topics={channelsOf(section).find(one => one.channelId === channelId)?.topics ?? []}
                  />
                )}
              </For>
            </section>
          )}
        </For>
      </div>
    </main>
  )
}

function EverythingRead(): JSX.Element {
  const view = useView()
  return (
    <div class="home-empty">
      <Icon name="check" size={36} />
      <p>{t('home.everything')}</p>
      <p class="home-ways">
        <button type="button" class="button" onClick={() => view.go({ kind: 'recent' })}>
          {t('view.recent')}
        </button>
        <button type="button" class="button" onClick={() => view.open('channels')}>
          {t('sidebar.browse')}
        </button>
      </p>
    </div>
  )
}

function Conversations(props: { entries: Inbox['direct'] }): JSX.Element {
  const chat = useChat()
  return (
    <section aria-label={t('home.unreadDirect')}>
      <h2 class="home-title">{t('home.direct')}</h2>
      <ul class="rows">
        <For each={props.entries.map(({ key }) => key)}>
          {key => (
            <EntryRow
              entry={props.entries.find(one => one.key === key)}
              narrow={{ kind: 'direct', key }}
              name={conversationName(chat.state, key)}
              face={<ConversationFaces of={key} />}
            />
          )}
        </For>
      </ul>
    </section>
  )
}

function Channel(props: { id: number; topics: readonly InboxTopic[] }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const id = () => props.id
  return (
    <div class="inbox-channel">
      <h3 class="inbox-head">
        <button type="button" class="row" onClick={() => view.go({ kind: 'channel', channelId: id() })}>
          <ChannelSign id={id()} />
          <span class="row-name" dir="auto">
            {channelName(chat.state, id())}
          </span>
        </button>
        <ReadButton ids={props.topics.flatMap(({ ids }) => ids)} name={channelName(chat.state, id())} />
      </h3>
      <ul class="rows">
        <For each={props.topics.map(({ name }) => name)}>
          {name => (
            <EntryRow
              entry={props.topics.find(one => one.name === name)}
              narrow={{ kind: 'topic', channelId: id(), topic: name }}
              name={topicName(chat.state, name)}
              isFollowed={props.topics.find(one => one.name === name)?.isFollowed}
            />
          )}
        </For>
      </ul>
    </div>
  )
}

interface EntryRowProps {
  readonly entry: InboxEntry | undefined
  readonly narrow: Narrow
  readonly name: string
  /** Without it, that of the sender of the newest message. */
  readonly face?: JSX.Element
  readonly isFollowed?: boolean | undefined
}

function EntryRow(props: EntryRowProps): JSX.Element {
  const chat = useChat()
  const view = useView()
  const ids = () => props.entry?.ids ?? []
  const newest = () => ids().at(-1) ?? -1
  return (
    <li class="inbox-row">
      <button type="button" class="row" onClick={() => view.go(props.narrow)}>
        <span class="last-face">
          <Show when={props.face} fallback={<SenderFace id={chat.state.messages[newest()]?.sender_id} />}>
            {face => face()}
          </Show>
        </span>
        <span class="row-lines">
          <span class="row-name" dir="auto">
            {props.name}
          </span>
          <LastWords id={newest()} rowName={props.name} />
        </span>
        <Show when={props.isFollowed}>
          <span class="row-mark" title={t('home.followed')}>
            <Icon name="follow" size={15} />
            <span class="unseen">{t('home.isFollowed')}</span>
          </span>
        </Show>
        <Show when={props.entry?.isMention}>
          <span class="row-mark mention" title={t('home.mention')}>
            @<span class="unseen">{t('home.isMention')}</span>
          </span>
        </Show>
        <Count of={ids().length} isMention={props.entry?.isMention} />
        <LastMoment id={newest()} />
      </button>
      <ReadButton ids={ids()} name={props.name} />
    </li>
  )
}

/** Nothing until the page knows the message. */
function SenderFace(props: { id: number | undefined }): JSX.Element {
  return <Show when={props.id}>{id => <Avatar userId={id()} />}</Show>
}

/** Marks messages as read: those of a place, without a name all. The notice that follows offers to undo it. */
function ReadButton(props: { ids: readonly number[]; name?: string }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const read = (button: HTMLElement) => {
    // The row goes; the focus stays in the list.
    const all = [...document.querySelectorAll<HTMLElement>('.home-list button')]
    const next = all.slice(all.indexOf(button) + 1).find(one => !one.closest('li, h3')?.contains(button))
    next?.focus()
    markRead(chat, view, props.ids).catch(chat.sayFailure)
  }
  return (
    <button
      type="button"
      class={props.name === undefined ? 'button' : 'icon-button'}
      aria-label={props.name === undefined ? t('home.readAll') : t('home.readOne', props.name)}
      title={t('home.read')}
      onClick={event => read(event.currentTarget)}
    >
      <Icon name="check" />
      <Show when={props.name === undefined}>
        <span class="wide-only">{t('home.readAll')}</span>
      </Show>
    </button>
  )
}
