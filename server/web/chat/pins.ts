import { createEffect, on } from 'solid-js'
import { numberText } from '../language/format.js'
import { t } from '../language/language.js'
import { browserStorage } from '../look/browser-storage.js'
import { listen } from '../look/listen.js'
import { channelOf } from '../state/channels.js'
import { movePinned, parsePinOrder, pinnedChannels } from '../state/pins.js'
import type { Chat } from './chat.js'

/**
 * Keeps the order of the user's pinned channels in the browser, and takes over what its other windows keep. Without room in the storage the
 * order lasts as long as the window.
 */
export function keepPinOrder(chat: Chat): void {
  const storage = browserStorage('localStorage')
  const key = `parley.pins.${chat.session.userId}`
  const read = () =>
    chat.change(state => {
      state.pinOrder = parsePinOrder(storage.read(key))
    })
  read()
  listen(window, 'storage', event => (event.key === key || event.key === null) && read())
  createEffect(
    on(
      () => JSON.stringify(chat.state.pinOrder),
      text => storage.keep(key, text),
      { defer: true },
    ),
  )
}

/** Moves a pinned channel to the place of another one, and announces its new place. */
export function movePin(chat: Chat, id: number, target: number): void {
  let isMoved = false
  chat.change(state => {
    isMoved = movePinned(state, id, target)
  })
  if (!isMoved) return
  const order = pinnedChannels(chat.state)
  const place = numberText(order.indexOf(id) + 1)
  chat.say(t('notice.pinMoved', channelOf(chat.state, id)?.name ?? '', place, numberText(order.length)))
}
