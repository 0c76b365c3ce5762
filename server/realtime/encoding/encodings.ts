import { Encoded } from './encoded.js'
import type { Entry } from './entry.js'
import type { SharedView } from './views.js'

/** The properties of a queue that decide which encoding it gets. */
export interface Reading {
  readonly id: string
  readonly userId: number
  readonly view: SharedView
}

/** The entry's encoding for this queue; null if the event has no wire form in the queue's view. */
export function encodedFor(entry: Entry, queue: Reading): Encoded | null {
  const { def, perUser, local } = entry
  if (def === undefined) return null
  let group = 0
  for (let i = 0; i < perUser.length; i++) {
    if (perUser[i]?.users.has(queue.userId)) {
      group = i + 1
      break
    }
  }
  if (local !== null && local.queueId === queue.id && local.userId === queue.userId) {
    return encode(entry, queue.view, group, local.fields)
  }
  // I4: one encoding for each wire form and group of users, shared by all queues.
  const slot = queue.view.formOf(def) * (perUser.length + 1) + group
  let encoded = entry.variants[slot]
  if (encoded === undefined) {
    encoded = encode(entry, queue.view, group, undefined)
    entry.variants[slot] = encoded
  }
  return encoded
}

function encode(entry: Entry, view: SharedView, group: number, local: object | undefined): Encoded | null {
  const rendered = entry.def?.render(entry.payload, view.view) ?? null
  if (rendered === null || (Array.isArray(rendered) && rendered.length === 0)) return null
  const extra = { ...entry.perUser[group - 1]?.fields, ...local }
  const forms = (Array.isArray(rendered) ? rendered : [rendered]).map(form => ({ ...form, ...extra }))
  return new Encoded(entry.id, forms, entry.bytes.length)
}
