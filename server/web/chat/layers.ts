import { createEffect, on } from 'solid-js'
import { listen } from '../look/listen.js'

// The entry of the browser's history that stands for what lies above the page. Its address is that of the page.
const layer = { isLayer: true }

/** What may lie above the page. */
interface Above {
  dialog(): unknown
  closeDialog(): void
  contextMenu(): unknown
  openContextMenu(place: undefined): void
}

/** Whether the present entry of the browser's history stands for a dialog or a menu. */
export const isLayer = (): boolean => (history.state as typeof layer | null)?.isLayer === true

export interface Layers {
  /**
   * Changes the address by `write`: at once, or when the entry of what was closed has left the history. The browser goes back a moment
   * after the call, and would take an address that is written meanwhile with it.
   */
  writeAddress(write: () => void): void
  /**
   * Makes the browser's back button close an open dialog or menu. While one is open the history has an entry for it, which goes when the
   * user closes it another way, and which the address of a view that it leads to replaces.
   */
  closeByBack(view: Above): void
}

export function createLayers(): Layers {
  // What is to be done when the entry of what was closed has left the history; undefined while none leaves.
  let waiting: (() => void)[] | undefined
  return {
    writeAddress(write) {
      if (waiting) waiting.push(write)
      else write()
    },
    closeByBack(view) {
      const isOpen = () => view.dialog() !== undefined || view.contextMenu() !== undefined
      const enter = () => {
        if (isOpen() && !isLayer()) history.pushState(layer, '', location.href)
      }
      const leave = () => {
        if (isOpen() || !isLayer() || waiting) return
        waiting = []
        history.back()
      }
      // Later: a menu may open a dialog, and a dialog may lead to a view, right after it has closed.
      createEffect(on(isOpen, isOpen => (isOpen ? enter() : setTimeout(leave)), { defer: true }))
      listen(window, 'popstate', () => {
        if (waiting) {
          const writes = waiting
          waiting = undefined
          for (const write of writes) write()
          enter()
          return
        }
        if (!isOpen() || isLayer()) return
        if (view.contextMenu()) view.openContextMenu(undefined)
        else view.closeDialog()
        enter()
      })
    },
  }
}
