import { listen } from '../look/listen.js'
import { channelsInOrder } from '../state/channels.js'
import type { Chat } from './chat.js'
import type { View } from './view.js'

/** Keys act on the view that the user uses. Single-key shortcuts work outside text boxes. */
export function listenToKeys(chat: Chat, used: () => View): void {
  const acts = (view: View): Readonly<Record<string, () => void>> => ({
    r: view.focusComposer,
    '/': () => view.searchBox.focus(),
    c: () => view.open('new-topic'),
    x: () => view.open('new-direct'),
    i: () => view.go({ kind: 'inbox' }),
    o: () => view.go({ kind: 'recent' }),
    a: () => view.go({ kind: 'all' }),
    m: () => view.go({ kind: 'mentions' }),
    s: () => view.go({ kind: 'starred' }),
    p: view.people.toggle,
    n: view.readThrough.next,
    l: view.readThrough.skip,
    z: () => chat.said()?.offer?.work(),
    '?': () => view.open('keys'),
  })
  listen(window, 'keydown', event => {
    const view = used()
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k' && !event.defaultPrevented) {
      event.preventDefault()
      if (!view.dialog()) view.open('jump')
      return
    }
    if (event.key === 'F6' && view.beside() && !view.dialog()) {
      event.preventDefault()
      view.toOther()
      return
    }
    if (event.ctrlKey || event.metaKey || event.isComposing) return
    if (event.altKey && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault()
      step(chat, view, event.key === 'ArrowDown' ? 1 : -1)
      return
    }
    const target = event.target as HTMLElement
    if (
      !view.singleKeys.areOn() ||
      event.altKey ||
      view.dialog() ||
      target.closest('input, textarea, select, [role="dialog"]')
    )
      return
    const act = acts(view)[event.key.toLowerCase()]
    if (!act) return
    event.preventDefault()
    act()
  })
}

function step(chat: Chat, view: View, by: 1 | -1): void {
  const ids = channelsInOrder(chat.state)
  const narrow = view.narrow()
  const at = narrow && 'channelId' in narrow ? ids.indexOf(narrow.channelId) : by > 0 ? -1 : 0
  const channelId = ids[(at + by + ids.length) % ids.length]
  if (channelId !== undefined) view.go({ kind: 'channel', channelId })
}
