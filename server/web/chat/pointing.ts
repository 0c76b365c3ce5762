import { createEffect, createSignal, on, onCleanup } from 'solid-js'
import type { MenuPlace, View } from './view.js'

// Long enough to find the message after the view has changed.
const pointedMs = 4000

type Pointing = Pick<
  View,
  'pointed' | 'point' | 'isUnfolded' | 'unfold' | 'keepsUnread' | 'keepUnread' | 'contextMenu' | 'openContextMenu'
>

/** The marked message of the open view, its long messages that are shown whole, the menu of a message or of a row, and whether messages in sight become read. */
export function createPointing(narrow: View['narrow']): Pointing {
  const [pointed, setPointed] = createSignal<number>()
  const [keepsUnread, keepUnread] = createSignal(false)
  const [contextMenu, openContextMenu] = createSignal<MenuPlace>()
  const [unfolded, setUnfolded] = createSignal<readonly number[]>([])
  let timer: ReturnType<typeof setTimeout> | undefined
  onCleanup(() => clearTimeout(timer))
  createEffect(
    on(narrow, () => {
      keepUnread(false)
      setUnfolded([])
      openContextMenu(undefined)
    }),
  )
  return {
    pointed,
    point(id) {
      clearTimeout(timer)
      setPointed(id)
      timer = setTimeout(() => setPointed(undefined), pointedMs)
    },
    isUnfolded: id => unfolded().includes(id),
    unfold: (id, isWhole) => setUnfolded(all => [...all.filter(one => one !== id), ...(isWhole ? [id] : [])]),
    keepsUnread,
    keepUnread,
    contextMenu,
    openContextMenu,
  }
}
