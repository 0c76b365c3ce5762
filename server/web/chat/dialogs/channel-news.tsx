import { createEffect, createResource, For, type JSX, on, Show } from 'solid-js'
import { placeOf } from '../../../../shared/resources/place.js'
import { language, t } from '../../language/language.js'
import { openSettingsTexts, st } from '../../language/settings-language.js'
import { Icon, type IconName } from '../../look/icon.js'
import { type ChannelNews as News, newsOf, resolvedIn } from '../../state/channel-news.js'
import type { Message } from '../../state/chat-state.js'
import { narrowOfPlace } from '../../state/narrow.js'
import { termsOf } from '../../state/terms.js'
import { unreadIdsOf } from '../../state/unread.js'
import { Avatar } from '../avatar.js'
import { type Chat, useChat } from '../chat.js'
import { FileSign } from '../file-sign.js'
import { beginningOf } from '../home/last-message.js'
import { markRead } from '../mark-read.js'
import { filesOfMarkup } from '../markup.js'
import { momentText } from '../moment-text.js'
import { channelName, nameOf, topicName } from '../names.js'
import { type About, useView } from '../view.js'
import { Dialog } from './dialog.js'

// The newest ones; a summary of more would be read by no one.
const mostMessages = 1000
const mostOfAKind = 10

/** What happened in a channel since the user read it: how much, what was decided, what was resolved, and files. Nothing counts as read by it. */
export function ChannelNews(props: About<'news'>): JSX.Element {
  const chat = useChat()
  createEffect(on(language, () => void chat.attempt(openSettingsTexts), { defer: true }))
  const channelId = props.about.news
  const [messages] = createResource(() => readUnread(chat, channelId))
  const news = () => {
    const read = messages.error ? undefined : messages()
    return read && newsOf(read, new Set(chat.state.unread_msgs.mentions))
  }
  return (
    <Dialog title={st('news.title', channelName(chat.state, channelId))} class="news">
      <Show when={!messages.error} fallback={<p class="quiet">{(messages.error as Error).message}</p>}>
        <Show
          when={news()}
          fallback={<p class="quiet">{messages.loading ? t('words.loading') : t('notice.nothingUnreadHere')}</p>}
        >
          {known => <Summary news={known()} messages={messages() ?? []} channelId={channelId} />}
        </Show>
      </Show>
    </Dialog>
  )
}

async function readUnread(chat: Chat, channelId: number): Promise<readonly Message[]> {
  // The cast: the client package knows no answers of single operations.
  const { messages } = (await chat.ask('GET', '/messages', {
    narrow: [...termsOf(chat.state, { kind: 'channel', channelId }), { operator: 'is', operand: 'unread' }],
    anchor: 'newest',
    num_before: mostMessages,
    num_after: 0,
    client_gravatar: true,
    apply_markdown: true,
    allow_empty_topic_name: true,
  })) as unknown as { readonly messages: readonly Message[] }
  return messages
}

function Summary(props: { news: News; messages: readonly Message[]; channelId: number }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const files = () =>
    props.messages.toReversed().flatMap(message => filesOfMarkup(message.content).map(file => ({ ...file, message })))
  const toTopic = (topic: string) => {
    view.open(undefined)
    view.go({ kind: 'topic', channelId: props.channelId, topic })
  }
  const read = () => {
    view.open(undefined)
    void chat.attempt(() =>
      markRead(chat, view, unreadIdsOf(chat.state, { kind: 'channel', channelId: props.channelId })),
    )
  }
  return (
    <>
      <p>
        {st('news.count', props.news.messages, props.news.people, props.news.topics.length)}{' '}
        {st('news.since', momentText(chat.state, props.news.since * 1000))}
      </p>
      <Part title={st('news.mentions')} of={props.news.mentions}>
        {message => <MessageChoice message={message} />}
      </Part>
      <Part title={st('news.decisions')} of={props.news.decisions}>
        {message => <MessageChoice message={message} />}
      </Part>
      <Part title={st('news.resolved')} of={resolvedIn(props.news)}>
        {topic => <Choice icon="check" title={topicName(chat.state, topic)} work={() => toTopic(topic)} />}
      </Part>
      <Part title={t('composer.files')} of={files()}>
        {({ name, address, message }) => (
          <MessageChoice message={message} title={name} sign={<FileSign name={name} address={address} />} />
        )}
      </Part>
      <Part title={t('sidebar.topics')} of={props.news.topics}>
        {({ name, messages }) => (
          <Choice
            icon="topic"
            title={topicName(chat.state, name)}
            hint={st('news.messages', messages)}
            work={() => toTopic(name)}
          />
        )}
      </Part>
      <button type="button" class="button primary" onClick={read}>
        {t('feed.read.channel')}
      </button>
    </>
  )
}

interface PartProps<Item> {
  readonly title: string
  readonly of: readonly Item[]
  readonly children: (item: Item) => JSX.Element
}

/** The first ones of a kind, if there are any. */
function Part<Item>(props: PartProps<Item>): JSX.Element {
  return (
    <Show when={props.of.length > 0}>
      <section aria-label={props.title}>
        <h3 class="part-title">
          {props.title} <small class="quiet">{props.of.length}</small>
        </h3>
        <ul class="choices">
          <For each={props.of.slice(0, mostOfAKind)}>{item => props.children(item)}</For>
        </ul>
        <Show when={props.of.length > mostOfAKind}>
          <p class="quiet">{t('sidebar.more', props.of.length - mostOfAKind)}</p>
        </Show>
      </section>
    </Show>
  )
}

/** Leads to a message. */
function MessageChoice(props: { message: Message; title?: string; sign?: JSX.Element }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const show = () => {
    view.open(undefined)
    view.go(narrowOfPlace(placeOf(props.message, chat.state.user_id)), { near: props.message.id })
  }
  return (
    <Choice
      sign={props.sign ?? <Avatar userId={props.message.sender_id} />}
      title={props.title ?? beginningOf(chat, props.message)}
      hint={`${nameOf(chat.state, props.message.sender_id)} · ${topicName(chat.state, props.message.subject)}`}
      work={show}
    />
  )
}

interface ChoiceProps {
  readonly icon?: IconName
  readonly sign?: JSX.Element
  readonly title: string
  readonly hint?: string
  work(): void
}

function Choice(props: ChoiceProps): JSX.Element {
  return (
    <li class="choice">
      <button type="button" class="choice-main" onClick={() => props.work()}>
        {props.icon ? <Icon name={props.icon} /> : props.sign}
        <span class="choice-words">
          <strong dir="auto">{props.title}</strong>
          <small dir="auto">{props.hint}</small>
        </span>
      </button>
    </li>
  )
}
