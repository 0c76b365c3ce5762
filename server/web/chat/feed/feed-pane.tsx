import { createEffect, createSignal, type JSX, on, Show, Suspense } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { t } from '../../language/language.js'
import { Icon } from '../../look/icon.js'
import { channelOf } from '../../state/channels.js'
import { addressOf, type Narrow, sameNarrow } from '../../state/narrow.js'
import { arrive } from '../arrive.js'
import { useChat } from '../chat.js'
import { Composer } from '../composer/composer.js'
import { openView } from '../history.js'
import { later } from '../later.js'
import { useView } from '../view.js'
import { FeedHead } from './feed-head.js'
import { FeedList } from './feed-list.js'
import { MessageMenu } from './message-menu.js'
import { SelectionBar } from './selection-bar.js'
import { Typing } from './typing.js'

const ReadThroughBar = later(async () => (await import('./read-through-bar.js')).ReadThroughBar)
const SearchNotes = later(async () => (await import('../search/search-notes.js')).SearchNotes)

/** A view: its head, its messages and the composer. */
export function FeedPane(props: { narrow: Narrow }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const [isMissing, setMissing] = createSignal(false)
  const address = () => addressOf(props.narrow)
  const feed = () => chat.state.feeds[address()]
  const isUnknown = () => 'channelId' in props.narrow && channelOf(chat.state, props.narrow.channelId) === undefined
  useArrival(() => props.narrow, isUnknown, setMissing)
  return (
    <Dynamic
      component={view.isBeside ? 'section' : 'main'}
      class="pane"
      classList={{ beside: view.isBeside }}
      aria-label={view.isBeside ? t('beside.title') : undefined}
    >
      <FeedHead narrow={props.narrow} />
      <Show when={!isUnknown()} fallback={<UnknownChannel />}>
        <Suspense>
          <Show when={props.narrow.kind === 'search' && props.narrow}>
            {narrow => <SearchNotes narrow={narrow()} />}
          </Show>
        </Suspense>
        <Show when={isMissing()}>
          <p class="feed-note" role="alert">
            {t('feed.missing')}
            <button type="button" class="button" onClick={() => setMissing(false)}>
              {t('words.close')}
            </button>
          </p>
        </Show>
        <Show when={address()} keyed>
          <Show when={feed()} fallback={<div class="feed" />}>
            {known => <FeedList feed={known()} />}
          </Show>
        </Show>
        <Show when={view.keepsUnread()}>
          <p class="feed-note" role="status">
            {t('feed.keepsUnread')}
            <button type="button" class="button" onClick={() => view.keepUnread(false)}>
              {t('feed.readAgain')}
            </button>
          </p>
        </Show>
        <Show when={view.readThrough.left()}>
          <Suspense>
            <ReadThroughBar />
          </Suspense>
        </Show>
        <SelectionBar />
        <Typing narrow={props.narrow} />
        <Composer narrow={props.narrow} />
      </Show>
      <MessageMenu />
    </Dynamic>
  )
}

/** Fetches what the address names, again after each navigation, when the state was replaced, and when a failed fetch has a connection again. */
function useArrival(narrow: () => Narrow, isUnknown: () => boolean, setMissing: (isMissing: boolean) => void): void {
  const chat = useChat()
  const view = useView()
  const feed = () => chat.state.feeds[addressOf(narrow())]
  const isGone = () => feed()?.isStale !== false
  createEffect(
    on([view.target, isUnknown, isGone], ([target, unknown, gone], before) => {
      // The view has just been created.
      if (before && before[0] === target && before[1] === unknown && !gone) return
      setMissing(false)
      if (!target || !sameNarrow(target.narrow, narrow())) return
      arrive(chat, view, target).then(
        hasArrived => view.target() === target && setMissing(!hasArrived),
        chat.sayFailure,
      )
    }),
  )
  createEffect(
    on(chat.phase, phase => {
      if (phase === 'live' && feed()?.error) void openView(chat, narrow())
    }),
  )
}

function UnknownChannel(): JSX.Element {
  const view = useView()
  return (
    <div class="feed">
      <div class="feed-empty">
        <Icon name="topic" size={36} />
        <p>{t('feed.unknownChannel')}</p>
        <button type="button" class="button" onClick={() => view.open('channels')}>
          {t('feed.showChannels')}
        </button>
      </div>
    </div>
  )
}
