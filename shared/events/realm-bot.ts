import { z } from 'zod'
import { realmBot } from '../resources/realm-bot.js'
import { defineEvent, type FieldsOf } from './event.js'

const added = z.object({ bot: realmBot })
const deleted = z.object({ bot: z.object({ user_id: z.int() }) })

/** `bots`: one wire event per bot. */
type RealmBotAddPayload = FieldsOf<typeof added> | { readonly bots: readonly FieldsOf<typeof added>['bot'][] }
type RealmBotDeletePayload = FieldsOf<typeof deleted> | { readonly bots: readonly FieldsOf<typeof deleted>['bot'][] }

export const realmBotAdd = defineEvent('realm_bot/add', {
  doc: 'The receiver may configure this bot: the bot was created, or the receiver became an administrator.',
  fields: added,
  render: (payload: RealmBotAddPayload) => ('bots' in payload ? payload.bots.map(bot => ({ bot })) : payload),
  width: payload => ('bots' in payload ? payload.bots.length : 1),
  apply(state, { bot }) {
    if (state.realm_bots) state.realm_bots[bot.user_id] = bot
  },
})

export const realmBotDelete = defineEvent('realm_bot/delete', {
  doc: 'The receiver may no longer configure this bot.',
  fields: deleted,
  render: (payload: RealmBotDeletePayload) => ('bots' in payload ? payload.bots.map(bot => ({ bot })) : payload),
  width: payload => ('bots' in payload ? payload.bots.length : 1),
  apply(state, { bot }) {
    delete state.realm_bots?.[bot.user_id]
  },
})
