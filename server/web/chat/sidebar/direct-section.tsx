import { createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import { peopleOf } from '../../../../shared/resources/place.js'
import { t } from '../../language/language.js'
import { IconButton } from '../../look/icon-button.js'
import { rankOf } from '../../state/completion.js'
import { arrangementOf } from '../../state/sections.js'
import { ConversationFaces } from '../avatar.js'
import { useChat } from '../chat.js'
import { conversationName } from '../names.js'
import { StatusSign } from '../status-sign.js'
import { useView } from '../view.js'
import { Count } from './count.js'
import { ListSection } from './list-section.js'
import { useListing } from './listing.js'
import { ViewLink } from './view-link.js'

// The others are one click away.
const shownAtFirst = 8

/** Direct conversations, the newest first; those with unread messages whatever their age. */
export function DirectSection(): JSX.Element {
  const chat = useChat()
  const view = useView()
  const listing = useListing()
  const [isWhole, setWhole] = createSignal(false)
  const openKey = createMemo(() => {
    const narrow = view.narrow()
    return narrow?.kind === 'direct' ? narrow.key : undefined
  })
  const unread = (key: string) => chat.state.unread_msgs.direct[key]?.length ?? 0
  const all = createMemo(() => {
    const { recent_private_conversations: conversations, unread_msgs } = chat.state
    const known = new Set([...Object.keys(conversations), ...Object.keys(unread_msgs.direct)])
    const open = openKey()
    if (open) known.add(open)
    const newest = (key: string) => Math.max(conversations[key] ?? 0, unread_msgs.direct[key]?.at(-1) ?? 0)
    return [...known].sort((a, b) => newest(b) - newest(a))
  })
  const shown = createMemo(() => {
    const words = listing.words()
    if (words !== '') return all().filter(key => rankOf(conversationName(chat.state, key), words) >= 0)
    const isNeeded = (key: string) => key === openKey() || (!listing.isCollapsed('direct') && unread(key) > 0)
    const isPlain = (index: number) =>
      (isWhole() || index < shownAtFirst) && !listing.isCollapsed('direct') && !arrangementOf(chat.state).unread_only
    return all().filter((key, index) => isPlain(index) || isNeeded(key))
  })
  const sum = createMemo(() => Object.values(chat.state.unread_msgs.direct).reduce((all, ids) => all + ids.length, 0))
  const hasMore = () =>
    listing.words() === '' &&
    !listing.isCollapsed('direct') &&
    !arrangementOf(chat.state).unread_only &&
    shown().length < all().length
  return (
    <Show when={listing.words() === '' || shown().length > 0}>
      <ListSection
        section="direct"
        unread={sum()}
        tools={
          <IconButton
            icon="plus"
            size={16}
            label={t('sidebar.newDirect')}
            class="small"
            isWalked
            work={() => view.open('new-direct')}
          />
        }
      >
        <For each={shown()}>{key => <ConversationRow of={key} isOpen={openKey() === key} unread={unread(key)} />}</For>
        <Show when={hasMore()}>
          <li>
            <button type="button" class="row more" tabIndex={-1} onClick={() => setWhole(true)}>
              <span class="row-name">{t('sidebar.more', all().length - shown().length)}</span>
            </button>
          </li>
        </Show>
      </ListSection>
    </Show>
  )
}

function ConversationRow(props: { of: string; isOpen: boolean; unread: number }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const person = () => (peopleOf(props.of).length === 1 ? peopleOf(props.of)[0] : undefined)
  return (
    <li class="person-place">
      <ViewLink narrow={{ kind: 'direct', key: props.of }} isOpen={props.isOpen}>
        <ConversationFaces of={props.of} />
        <span class="row-name" dir="auto">
          {conversationName(chat.state, props.of)}
        </span>
        <Show when={person()}>{id => <StatusSign userId={id()} />}</Show>
        <Count of={props.unread} />
      </ViewLink>
      <Show when={person()}>
        {id => (
          <button
            type="button"
            class="person-face"
            tabIndex={-1}
            aria-haspopup="dialog"
            aria-label={t('sidebar.about', conversationName(chat.state, props.of))}
            onClick={() => view.open({ person: id() })}
          />
        )}
      </Show>
    </li>
  )
}
