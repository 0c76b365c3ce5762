import { createSignal } from 'solid-js'
import { pinnedChannels } from '../../state/pins.js'
import type { Chat } from '../chat.js'
import { movePin } from '../pins.js'

type RowEvent = DragEvent & { readonly currentTarget: HTMLElement }

/** Drags the rows of pinned channels, by the ids of the channels. */
export interface PinDrag {
  /** The edge of a row at which the dragged one lands if it is dropped now. */
  edge(id: number): 'above' | 'below' | undefined
  start(id: number, event: RowEvent): void
  over(id: number, event: RowEvent): void
  leave(event: RowEvent): void
  drop(id: number, event: RowEvent): void
  end(): void
}

/**
 * A pinned row that is dropped on another one takes its place. Dragged elsewhere, it is the link that it is for the browser, whose data of
 * the drag stay as they are.
 */
export function createPinDrag(chat: Chat): PinDrag {
  const [dragged, setDragged] = createSignal<number>()
  const [target, setTarget] = createSignal<number>()
  const isPinned = (id: number) => chat.state.subscriptions[id]?.pin_to_top === true
  const end = () => {
    setDragged(undefined)
    setTarget(undefined)
  }
  return {
    edge(id) {
      const from = dragged()
      if (from === undefined || from === id || target() !== id) return undefined
      const order = pinnedChannels(chat.state)
      return order.indexOf(from) < order.indexOf(id) ? 'below' : 'above'
    },
    start(id, event) {
      // Not a topic below the row.
      if (isPinned(id) && event.target === event.currentTarget.firstElementChild) setDragged(id)
    },
    over(id, event) {
      if (dragged() === undefined || !isPinned(id)) return
      event.preventDefault()
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'move'
      setTarget(id)
    },
    leave(event) {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setTarget(undefined)
    },
    drop(id, event) {
      const from = dragged()
      if (from === undefined) return
      event.preventDefault()
      end()
      movePin(chat, from, id)
    },
    end,
  }
}
