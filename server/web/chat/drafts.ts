import { createEffect, untrack } from 'solid-js'
import type { Place } from '../../../shared/resources/place.js'
import { t } from '../language/language.js'
import { browserStorage } from '../look/browser-storage.js'
import { narrowOf } from '../state/address.js'
import { draftAt, draftFor } from '../state/drafts.js'
import { placeOfNarrow } from '../state/place.js'
import type { Chat } from './chat.js'

// Most pauses in writing are shorter.
const pauseMs = 1200
const prefix = 'parley.draft.'

/** The unsent texts of views: the server keeps those of topics and conversations for all windows and devices of the user. */
export interface Drafts {
  /** The unsent text of a view. */
  read(address: string): string
  /** Keeps the text of a view: at once in this window, and after a pause on the server. Empty: deletes it at once. */
  keep(address: string, text: string): void
  /** Whether the window has a text of the view that the server does not have yet. */
  isUnsaved(address: string): boolean
}

/** Deletes the texts that only this window has. */
export function forgetDrafts(): void {
  const storage = browserStorage('sessionStorage')
  for (const key of storage.keys(prefix)) storage.forget(key)
}

export function createDrafts(chat: Chat): Drafts {
  const own = `${prefix}${chat.session.userId}.`
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  const saving = new Set<string>()
  /** Drafts whose event has not arrived yet, by address. */
  const created = new Map<string, number>()
  // Until the server has a text it is in the window's storage, which survives a reload. An empty one is to be deleted.
  const storage = browserStorage('sessionStorage')
  // Those that the browser refuses to keep.
  const refused = new Map<string, string>()
  const unsaved = (address: string) => refused.get(address) ?? storage.read(own + address)
  const keepUnsaved = (address: string, text: string) => {
    if (storage.keep(own + address, text)) refused.delete(address)
    else refused.set(address, text)
  }
  const forgetUnsaved = (address: string) => {
    refused.delete(address)
    storage.forget(own + address)
  }
  const isOn = () => chat.state.user_settings.enable_drafts_synchronization !== false
  const placeAt = (address: string): Place | undefined => {
    const narrow = narrowOf(`#${address}`, chat.state.user_id)
    return narrow && placeOfNarrow(narrow)
  }

  const push = async (address: string, place: Place, text: string) => {
    const known = draftAt(chat.state, place)?.id
    const id = known ?? created.get(address)
    if (known !== undefined) created.delete(address)
    if (text === '') {
      created.delete(address)
      if (id !== undefined) await chat.ask('DELETE', `/drafts/${id}`)
    } else if (id !== undefined) await chat.ask('PATCH', `/drafts/${id}`, { draft: draftFor(place, text) })
    else {
      const { ids } = await chat.ask('POST', '/drafts', { drafts: [draftFor(place, text)] })
      created.set(address, (ids as number[])[0] as number)
    }
  }
  /** Saves the text of a view until the server has the latest one. */
  const save = async (address: string) => {
    const place = placeAt(address)
    if (!place || !isOn() || saving.has(address)) return
    saving.add(address)
    try {
      for (let text = unsaved(address); text !== null; text = unsaved(address)) {
        await push(address, place, text)
        if (unsaved(address) === text) forgetUnsaved(address)
      }
    } catch (error) {
      // Another window may have deleted the draft; the next change makes a new one. The text stays in this window.
      created.delete(address)
      if (unsaved(address) !== '') chat.say(t('notice.draftHere', (error as Error).message), 'bad')
    } finally {
      saving.delete(address)
    }
  }
  chat.onEnd(() => {
    for (const timer of timers.values()) clearTimeout(timer)
  })
  // What a reload or a broken connection left over.
  createEffect(() => {
    if (!chat.isReady() || chat.phase() !== 'live') return
    for (const address of [...storage.keys(own).map(key => key.slice(own.length)), ...refused.keys()])
      untrack(() => void save(address))
  })

  return {
    read: address => {
      const place = placeAt(address)
      return unsaved(address) ?? (place && draftAt(chat.state, place)?.content) ?? ''
    },
    keep(address, text) {
      const place = placeAt(address)
      const isStored = place !== undefined && isOn()
      if (text === '' && !isStored) forgetUnsaved(address)
      else keepUnsaved(address, text)
      clearTimeout(timers.get(address))
      if (text === '') void save(address)
      else
        timers.set(
          address,
          setTimeout(() => void save(address), pauseMs),
        )
    },
    isUnsaved: address => unsaved(address) !== null,
  }
}
