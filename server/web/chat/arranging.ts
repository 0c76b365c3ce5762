import { createEffect } from 'solid-js'
import type { Sidebar } from '../../../shared/resources/sidebar.js'
import { numberText } from '../language/format.js'
import { t } from '../language/language.js'
import { browserStorage } from '../look/browser-storage.js'
import { channelOf } from '../state/channels.js'
import { maxOrdered, parsePinOrder, pinnedChannels } from '../state/pins.js'
import { collapsedWith, moved, type Section, sectionMoved, withoutParts } from '../state/sections.js'
import type { Chat } from './chat.js'
import { channelName, sectionName } from './names.js'

// Longer than events take. Those of earlier changes may come after the answer to the last one.
const settlingMs = 2000

/**
 * Arranges the sidebar: at once here, and on the server for all windows and devices. What the server refuses is taken back.
 * @throws {RequestError}
 */
export async function arrange(chat: Chat, parts: Partial<Sidebar>): Promise<void> {
  chat.change(state => {
    state.arranging = { ...state.arranging, ...parts }
  })
  const settle = () =>
    chat.change(state => {
      state.arranging = withoutParts(state.arranging, parts)
    })
  try {
    await chat.ask('PATCH', '/users/me/sidebar', parts)
    setTimeout(settle, settlingMs)
  } catch (error) {
    settle()
    throw error
  }
}

export const collapse = (chat: Chat, section: Section, isCollapsed: boolean): Promise<void> =>
  chat.attempt(() => arrange(chat, { collapsed: collapsedWith(chat.state, section, isCollapsed) }))

export const showOnlyUnread = (chat: Chat, unread_only: boolean): Promise<void> =>
  chat.attempt(() => arrange(chat, { unread_only }))

/** Moves a section to the place of another one, and announces where it is. @throws {RequestError} */
export async function moveSection(chat: Chat, section: Section, target: Section): Promise<void> {
  const sections = sectionMoved(chat.state, section, target)
  const side = sections.indexOf(section) < sections.indexOf(target) ? 'sectionAbove' : 'sectionBelow'
  await arrange(chat, { sections })
  chat.say(t(`notice.${side}`, sectionName(chat.state, section), sectionName(chat.state, target)))
}

/** Moves a pinned channel to the place of another one, and announces its new place. @throws {RequestError} */
export const movePin = (chat: Chat, id: number, target: number): Promise<void> =>
  pinAt(chat, id, moved(pinnedChannels(chat.state), id, target))

/** Pins a channel, if it is not, and gives the pinned ones this order. @throws {RequestError} */
export async function pinAt(chat: Chat, id: number, order: readonly number[]): Promise<void> {
  const isPinned = chat.state.subscriptions[id]?.pin_to_top
  await Promise.all([
    arrange(chat, { pinned_channels: order.slice(0, maxOrdered) }),
    ...(isPinned ? [] : [setPinned(chat, id, true)]),
  ])
  const place = numberText(order.indexOf(id) + 1)
  chat.say(t('notice.pinMoved', channelName(chat.state, id), place, numberText(order.length)))
}

/** @throws {RequestError} */
export const setPinned = (chat: Chat, stream_id: number, value: boolean): Promise<unknown> =>
  chat.ask('POST', '/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id, property: 'pin_to_top', value }],
  })

/** Moves a channel to another folder for all people, and offers to move it back. @throws {RequestError} */
export async function moveToFolder(chat: Chat, id: number, folder: number | null): Promise<void> {
  const former = channelOf(chat.state, id)?.folder_id ?? null
  const move = (folder_id: number | null) => chat.ask('PATCH', `/streams/${id}`, { folder_id })
  await move(folder)
  const section = folder === null ? 'channels' : (`folder:${folder}` as const)
  chat.say(t('notice.folderChanged', channelName(chat.state, id), sectionName(chat.state, section)), 'plain', {
    title: t('notice.undo'),
    work: () => void chat.attempt(() => move(former)),
  })
}

/** Gives the server the order of pinned channels that an earlier page kept in this browser, unless there is one already. */
export function takeOverPins(chat: Chat): void {
  const storage = browserStorage('localStorage')
  const key = `parley.pins.${chat.session.userId}`
  createEffect(() => {
    if (chat.phase() !== 'live') return
    const kept = parsePinOrder(storage.read(key))
    if (kept.length === 0) return
    if (chat.state.sidebar.pinned_channels.length > 0) {
      storage.forget(key)
      return
    }
    void chat.attempt(async () => {
      await arrange(chat, { pinned_channels: kept })
      storage.forget(key)
    })
  })
}
