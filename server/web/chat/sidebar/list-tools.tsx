import type { JSX } from 'solid-js'
import { t } from '../../language/language.js'
import { IconButton } from '../../look/icon-button.js'
import { arrangementOf } from '../../state/sections.js'
import { showOnlyUnread } from '../arranging.js'
import { useChat } from '../chat.js'
import { useListing } from './listing.js'

/** Finds channels and conversations in the list by their names, and leaves out what is read. */
export function ListTools(props: { list(): HTMLElement }): JSX.Element {
  const chat = useChat()
  const listing = useListing()
  const isOnlyUnread = () => arrangementOf(chat.state).unread_only
  const keys = (event: KeyboardEvent) => {
    if (event.isComposing) return
    if (event.key === 'Escape' && listing.words() !== '') {
      event.preventDefault()
      listing.find('')
    } else if (event.key === 'ArrowDown') {
      event.preventDefault()
      props.list().focus()
    } else if (event.key === 'Enter' && listing.words() !== '') {
      const found = props.list().querySelector<HTMLElement>('a.row')
      listing.find('')
      found?.click()
    }
  }
  return (
    <div class="list-tools">
      <input
        class="input list-filter"
        type="search"
        dir="auto"
        placeholder={t('sidebar.filter')}
        aria-label={t('sidebar.filterLabel')}
        value={listing.words()}
        onInput={event => listing.find(event.currentTarget.value.trim())}
        onKeyDown={keys}
      />
      <IconButton
        icon="unread"
        size={17}
        label={t('sidebar.onlyUnread')}
        isPressed={isOnlyUnread()}
        work={() => void showOnlyUnread(chat, !isOnlyUnread())}
      />
    </div>
  )
}
