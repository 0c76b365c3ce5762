import { type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
import { Icon } from '../../look/icon.js'
import type { Feed } from '../../state/chat-state.js'
import { whyNotWrite } from '../../state/message-rights.js'
import { type Chat, useChat } from '../chat.js'
import { openView } from '../history.js'
import { useView, type View } from '../view.js'

/** In place of messages: why there are none, and what the user can do. */
export function EmptyFeed(props: { feed: Feed }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const way = () => wayOut(chat, view, props.feed)
  return (
    <div class="feed-empty">
      <Show when={!props.feed.isLoading} fallback={<p>{t('words.loading')}</p>}>
        <Icon name="topic" size={36} />
        <p>{props.feed.error ?? reason(props.feed)}</p>
        <Show when={way()}>
          {one => (
            <button type="button" class="button" onClick={() => one().work()}>
              {one().title}
            </button>
          )}
        </Show>
      </Show>
    </div>
  )
}

const reasons = {
  mentions: 'feed.noMentions',
  starred: 'feed.noStarred',
  search: 'search.nothing',
} as const

function reason({ narrow: { kind } }: Feed): string {
  return t(kind in reasons ? reasons[kind as keyof typeof reasons] : 'feed.empty')
}

interface Way {
  readonly title: string
  work(): void
}

function wayOut(chat: Chat, view: View, { error, narrow }: Feed): Way | undefined {
  if (error) return { title: t('words.tryAgain'), work: () => void openView(chat, narrow) }
  switch (narrow.kind) {
    case 'search':
      return { title: t('search.change'), work: () => view.searchBox.focus() }
    case 'mentions':
    case 'starred':
      return { title: t('view.recent'), work: () => view.go({ kind: 'recent' }) }
    case 'all':
      return { title: t('feed.showChannels'), work: () => view.open('channels') }
    default:
      return whyNotWrite(chat.state, narrow) ? undefined : { title: t('feed.writeFirst'), work: view.focusComposer }
  }
}
