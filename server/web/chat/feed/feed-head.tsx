import { type JSX, Match, Show, Switch } from 'solid-js'
import { isMuted } from '../../../../shared/events/unread.js'
import { peopleOf } from '../../../../shared/resources/place.js'
import { t } from '../../language/language.js'
import { Icon } from '../../look/icon.js'
import { IconButton } from '../../look/icon-button.js'
import { channelOf } from '../../state/channels.js'
import { channelIdOf, type Narrow } from '../../state/narrow.js'
import { presenceOf } from '../../state/people.js'
import { BackButton } from '../back-button.js'
import { ChannelSign } from '../channel-sign.js'
import { useChat } from '../chat.js'
import { CloseButton } from '../close-button.js'
import { Description } from '../description.js'
import { narrowTitle } from '../names.js'
import { useNow } from '../now.js'
import { SearchBox } from '../search/search-box.js'
import { useView } from '../view.js'
import { FeedMenu } from './feed-menu.js'
import { TopicDeeds } from './topic-deeds.js'
import { TopicTitle } from './topic-title.js'

/** The title of the view, and the search box. */
export function FeedHead(props: { narrow: Narrow }): JSX.Element {
  const view = useView()
  const topic = () => props.narrow.kind === 'topic' && props.narrow
  const channel = () => props.narrow.kind === 'channel' && props.narrow.channelId
  return (
    <header class="feed-head">
      <BackButton />
      <div class="feed-title">
        <Title narrow={props.narrow} />
        <Subtitle narrow={props.narrow} />
      </div>
      <Show when={!view.isBeside}>
        <SearchBox narrow={props.narrow} />
      </Show>
      <Show when={topic()}>{narrow => <TopicDeeds channelId={narrow().channelId} topic={narrow().topic} />}</Show>
      <Show when={channel()}>
        {channel => (
          <span class="topic-deeds">
            <IconButton
              icon="bell"
              label={t('feed.notifications')}
              work={() => view.open({ channel: channel(), tab: 'notifications' })}
            />
          </span>
        )}
      </Show>
      <Show when={!view.isBeside}>
        <IconButton
          icon="people"
          label={t('people.title')}
          class="people-button"
          isPressed={view.people.isOpen()}
          work={view.people.toggle}
        />
      </Show>
      <FeedMenu narrow={props.narrow} />
      <CloseButton />
    </header>
  )
}

/** The other person of a conversation of two. */
function partnerIn(narrow: Narrow): number | undefined {
  const ids = narrow.kind === 'direct' ? peopleOf(narrow.key) : []
  return ids.length === 1 ? ids[0] : undefined
}

function Title(props: { narrow: Narrow }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const title = () => narrowTitle(chat.state, props.narrow)
  const isQuiet = () =>
    props.narrow.kind === 'topic'
      ? isMuted(chat.state, props.narrow.channelId, props.narrow.topic)
      : props.narrow.kind === 'channel' && chat.state.subscriptions[props.narrow.channelId]?.is_muted
  return (
    <h1>
      <Show when={channelIdOf(props.narrow)}>{id => <ChannelSign id={id()} size={18} />}</Show>
      <Switch
        fallback={
          <span class="title-text" dir="auto">
            {title()}
          </span>
        }
      >
        <Match when={partnerIn(props.narrow)}>
          {id => (
            <button
              type="button"
              class="title-person title-text"
              dir="auto"
              aria-haspopup="dialog"
              onClick={() => view.open({ person: id() })}
            >
              {title()}
            </button>
          )}
        </Match>
        <Match when={props.narrow.kind === 'topic' && props.narrow}>
          {narrow => <TitleOfTopic channelId={narrow().channelId} topic={narrow().topic} />}
        </Match>
      </Switch>
      <Show when={isQuiet()}>
        <span class="row-mark" title={t('sidebar.muted')}>
          <Icon name="muted" size={15} />
          <span class="unseen">{t('sidebar.muted')}</span>
        </span>
      </Show>
    </h1>
  )
}

function TitleOfTopic(props: { channelId: number; topic: string }): JSX.Element {
  const chat = useChat()
  const view = useView()
  return (
    <>
      <button
        type="button"
        class="title-channel"
        dir="auto"
        onClick={() => view.go({ kind: 'channel', channelId: props.channelId })}
      >
        {channelOf(chat.state, props.channelId)?.name}
      </button>
      <span class="place-step" aria-hidden="true">
        ›
      </span>
      <TopicTitle channelId={props.channelId} topic={props.topic} />
    </>
  )
}

/** The description of a channel, or the presence of the other person. */
function Subtitle(props: { narrow: Narrow }): JSX.Element {
  const chat = useChat()
  const now = useNow()
  const described = () => {
    const channel = props.narrow.kind === 'channel' ? channelOf(chat.state, props.narrow.channelId) : undefined
    return channel?.description ? channel : undefined
  }
  const presence = () => {
    const id = partnerIn(props.narrow)
    return id === undefined ? undefined : t(`people.presence.${presenceOf(chat.state, id, now())}`)
  }
  return (
    <Show when={described() ?? presence()}>
      <p class="feed-subtitle">
        <Show when={described()} fallback={presence()}>
          {channel => <Description html={channel().rendered_description} />}
        </Show>
      </p>
    </Show>
  )
}
