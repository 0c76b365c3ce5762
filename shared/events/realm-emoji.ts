import { z } from 'zod'
import { type CustomEmojiMap, customEmoji, customEmojiMap } from '../resources/custom-emoji.js'
import type { ClientState } from './client-state.js'
import { defineEvent, type FieldsOf } from './event.js'

type State = ClientState & { realm_emoji?: CustomEmojiMap }

const added = z.object({ emoji: customEmoji })
const changed = z.object({ emoji_id: z.string(), data: z.object({ deactivated: z.boolean() }) })
const whole = z.object({ realm_emoji: customEmojiMap.describe('All custom emoji, deactivated ones included.') })

export const realmEmojiAdd = defineEvent('realm_emoji/add', {
  doc: 'A user added a custom emoji.',
  fields: added,
  changesDirectory: true,
  dependsOn: ['individual_emoji_changes'],
  render: (payload: FieldsOf<typeof added>, view) => (view.individual_emoji_changes ? payload : null),
  audit: ({ emoji: { id, name } }) => [{ subject: { emoji_id: id }, before: null, after: { name } }],
  apply: applyRealmEmojiAdd,
})

export const realmEmojiUpdateOne = defineEvent('realm_emoji/update_one', {
  doc: 'A custom emoji was deactivated.',
  fields: changed,
  changesDirectory: true,
  dependsOn: ['individual_emoji_changes'],
  render: (payload: FieldsOf<typeof changed>, view) => (view.individual_emoji_changes ? payload : null),
  audit: ({ emoji_id, data }) => [{ subject: { emoji_id }, before: null, after: data }],
  apply: applyRealmEmojiUpdateOne,
})

export const realmEmojiUpdate = defineEvent('realm_emoji/update', {
  doc: 'The custom emoji changed; for clients without the capability `individual_emoji_changes`.',
  fields: whole,
  dependsOn: ['individual_emoji_changes'],
  render: (payload: FieldsOf<typeof whole>, view) => (view.individual_emoji_changes ? null : payload),
  apply(state: State, { realm_emoji }) {
    if (state.realm_emoji) state.realm_emoji = realm_emoji
  },
})

export function applyRealmEmojiAdd(state: State, { emoji }: z.output<typeof added>): void {
  if (state.realm_emoji) state.realm_emoji[emoji.id] = emoji
}

export function applyRealmEmojiUpdateOne(state: State, { emoji_id, data }: z.output<typeof changed>): void {
  const emoji = state.realm_emoji?.[emoji_id]
  if (emoji) Object.assign(emoji, data)
}
