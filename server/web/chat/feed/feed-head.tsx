import { type JSX, Match, Show, Switch } from 'solid-js'
import { peopleOf } from '../../../../shared/resources/place.js'
import { t } from '../../language/language.js'
import { IconButton } from '../../look/icon-button.js'
import { channelOf } from '../../state/channels.js'
import { channelIdOf, type Narrow } from '../../state/narrow.js'
import { presenceOf } from '../../state/people.js'
import { ChannelSign } from '../channel-sign.js'
import { useChat } from '../chat.js'
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
  const chat = useChat()
  const view = useView()
  const now = useNow()
  const channelId = () => channelIdOf(props.narrow)
  const channel = () => channelOf(chat.state, channelId() ?? -1)
  /** The other person of a conversation of two. */
  const partner = () => {
    const { narrow } = props
    return narrow.kind === 'direct' && peopleOf(narrow.key).length === 1 ? peopleOf(narrow.key)[0] : undefined
  }
  const presence = () => {
    const id = partner()
    return id === undefined ? undefined : t(`people.presence.${presenceOf(chat.state, id, now())}`)
  }
  const subtitle = (): JSX.Element =>
    props.narrow.kind === 'channel' && channel()?.description ? (
      <Description html={channel()?.rendered_description} />
    ) : (
      presence()
    )
  return (
    <header class="feed-head">
      <IconButton icon="back" label={t('home.back')} class="back" work={() => view.go(undefined)} />
      <div class="feed-title">
        <h1>
          <Show when={channelId() !== undefined}>
            <ChannelSign id={channelId() as number} size={18} />
          </Show>
          <Switch
            fallback={
              <span class="title-text" dir="auto">
                {narrowTitle(chat.state, props.narrow)}
              </span>
            }
          >
            <Match when={partner()}>
              {id => (
                <button
                  type="button"
                  class="title-person title-text"
                  dir="auto"
                  aria-haspopup="dialog"
                  onClick={() => view.open({ person: id() })}
                >
                  {narrowTitle(chat.state, props.narrow)}
                </button>
              )}
            </Match>
            <Match when={props.narrow.kind === 'topic' && props.narrow}>
              {narrow => (
                <>
                  <button
                    type="button"
                    class="title-channel"
                    dir="auto"
                    onClick={() => view.go({ kind: 'channel', channelId: narrow().channelId })}
                  >
                    {channel()?.name}
                  </button>
                  <span class="place-step" aria-hidden="true">
                    ›
                  </span>
                  <TopicTitle channelId={narrow().channelId} topic={narrow().topic} />
                </>
              )}
            </Match>
          </Switch>
        </h1>
        <Show when={subtitle()}>{words => <p class="feed-subtitle">{words()}</p>}</Show>
      </div>
      <SearchBox narrow={props.narrow} />
      <Show when={props.narrow.kind === 'topic' && props.narrow}>
        {narrow => <TopicDeeds channelId={narrow().channelId} topic={narrow().topic} />}
      </Show>
      <IconButton
        icon="people"
        label={t('people.title')}
        class="people-button"
        isPressed={view.people.isOpen()}
        work={view.people.toggle}
      />
      <FeedMenu narrow={props.narrow} />
    </header>
  )
}
