import { createEffect, createSignal, untrack } from 'solid-js'
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
  /** The unsent text of a view; what reads it follows its changes, here and elsewhere. */
  read(address: string): string
  /** Keeps the text of a view: at once in this window, and after a pause on the server. Empty: deletes it at once. */
  keep(address: string, text: string): void
}

/** Deletes the texts that only this window has. */
export function forgetDrafts(): void {
  const storage = browserStorage('sessionStorage')
  for (const key of storage.keys(prefix)) storage.forget(key)
}

export function createDrafts(chat: Chat): Drafts {
  const unsaved = keepUnsaved(`${prefix}${chat.session.userId}.`)
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  const saving = new Set<string>()
  /** Drafts whose event has not arrived yet, by address. */
  const created = new Map<string, number>()
  const [changed, setChanged] = createSignal(undefined, { equals: false })
  const isOn = () => chat.state.user_settings.enable_drafts_synchronization !== false
  const placeAt = (address: string): Place | undefined => {
    const narrow = narrowOf(`#${address}`, chat.state.user_id)
    return narrow && placeOfNarrow(narrow)
  }

  /** Saves the text of a view until the server has the latest one. */
  const save = async (address: string) => {
    const place = placeAt(address)
    if (!place || !isOn() || saving.has(address)) return
    saving.add(address)
    try {
      for (let text = unsaved.read(address); text !== null; text = unsaved.read(address)) {
        await push(chat, created, { address, place, text })
        if (unsaved.read(address) === text) unsaved.forget(address)
      }
    } catch (error) {
      // Another window may have deleted the draft; the next change makes a new one. The text stays in this window.
      created.delete(address)
      if (unsaved.read(address) !== '') chat.say(t('notice.draftHere', (error as Error).message), 'bad')
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
    for (const address of unsaved.addresses()) untrack(() => void save(address))
  })

  return {
    read: address => {
      changed()
      const place = placeAt(address)
      // In any case: what reads the text follows this, too.
      const stored = place && draftAt(chat.state, place)?.content
      return unsaved.read(address) ?? stored ?? ''
    },
    keep(address, text) {
      const place = placeAt(address)
      const isStored = place !== undefined && isOn()
      if (text === '' && !isStored) unsaved.forget(address)
      else unsaved.keep(address, text)
      setChanged()
      clearTimeout(timers.get(address))
      if (text === '') void save(address)
      else
        timers.set(
          address,
          setTimeout(() => void save(address), pauseMs),
        )
    },
  }
}

/** Gives the server the text of a view; `created`: drafts whose event has not arrived yet. */
async function push(
  chat: Chat,
  created: Map<string, number>,
  { address, place, text }: { address: string; place: Place; text: string },
): Promise<void> {
  const known = draftAt(chat.state, place)?.id
  const id = known ?? created.get(address)
  if (known !== undefined || text === '') created.delete(address)
  if (id === undefined && text !== '') created.set(address, await createDraft(chat, place, text))
  else if (id !== undefined) await changeDraft(chat, id, place, text)
}

/** @returns the id of the new draft */
async function createDraft(chat: Chat, place: Place, text: string): Promise<number> {
  const { ids } = await chat.ask('POST', '/drafts', { drafts: [draftFor(place, text)] })
  return (ids as number[])[0] as number
}

/** Without a text, the draft is deleted. */
const changeDraft = (chat: Chat, id: number, place: Place, text: string): Promise<unknown> =>
  text === ''
    ? chat.ask('DELETE', `/drafts/${id}`)
    : chat.ask('PATCH', `/drafts/${id}`, { draft: draftFor(place, text) })

interface Unsaved {
  /** Null: the server has the text of the view. */
  read(address: string): string | null
  keep(address: string, text: string): void
  forget(address: string): void
  addresses(): string[]
}

/**
 * Texts that the server does not have yet, in the window's storage, which survives a reload, or in its memory if the browser refuses that. An
 * empty one is to be deleted.
 */
function keepUnsaved(own: string): Unsaved {
  const storage = browserStorage('sessionStorage')
  const refused = new Map<string, string>()
  return {
    read: address => refused.get(address) ?? storage.read(own + address),
    keep(address, text) {
      if (storage.keep(own + address, text)) refused.delete(address)
      else refused.set(address, text)
    },
    forget(address) {
      refused.delete(address)
      storage.forget(own + address)
    },
    addresses: () => [...storage.keys(own).map(key => key.slice(own.length)), ...refused.keys()],
  }
}
