import { createEffect, createSignal, on, onCleanup } from 'solid-js'
import type { MenuPlace, View } from './view.js'

// Long enough to find the message after the view has changed.
const pointedMs = 4000

type Pointing = Pick<View, 'pointed' | 'point' | 'keepsUnread' | 'keepUnread' | 'messageMenu' | 'openMessageMenu'>

/** What the open view has of single messages: the marked one, the menu, and whether messages in sight become read. */
export function createPointing(narrow: View['narrow']): Pointing {
  const [pointed, setPointed] = createSignal<number>()
  const [keepsUnread, keepUnread] = createSignal(false)
  const [messageMenu, openMessageMenu] = createSignal<MenuPlace>()
  let timer: ReturnType<typeof setTimeout> | undefined
  onCleanup(() => clearTimeout(timer))
  createEffect(
    on(narrow, () => {
      keepUnread(false)
      openMessageMenu(undefined)
    }),
  )
  return {
    pointed,
    point(id) {
      clearTimeout(timer)
      setPointed(id)
      timer = setTimeout(() => setPointed(undefined), pointedMs)
    },
    keepsUnread,
    keepUnread,
    messageMenu,
    openMessageMenu,
  }
}
