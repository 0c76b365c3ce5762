import { z } from 'zod'
import { realmBot } from '../resources/realm-bot.js'
import { changed } from './audit.js'
import { defineEvent, type FieldsOf } from './event.js'

const added = z.object({ bot: realmBot })
const updated = z.object({
  bot: realmBot
    .pick({
      default_all_public_streams: true,
      default_events_register_stream: true,
      default_sending_stream: true,
      services: true,
    })
    .partial()
    .extend({ user_id: z.int() })
    .describe('The changed field.'),
})
const deleted = z.object({ bot: z.object({ user_id: z.int() }) })

/** `bots`: one wire event per bot. */
type RealmBotAddPayload = FieldsOf<typeof added> | { readonly bots: readonly FieldsOf<typeof added>['bot'][] }
type RealmBotDeletePayload = FieldsOf<typeof deleted> | { readonly bots: readonly FieldsOf<typeof deleted>['bot'][] }

export const realmBotAdd = defineEvent('realm_bot/add', {
  doc: 'The receiver may configure this bot: the bot was created or given to the receiver, or the receiver became an administrator.',
  fields: added,
  render: (payload: RealmBotAddPayload) => ('bots' in payload ? payload.bots.map(bot => ({ bot })) : payload),
  width: payload => ('bots' in payload ? payload.bots.length : 1),
  apply(state, { bot }) {
    if (state.realm_bots) state.realm_bots[bot.user_id] = bot
  },
})

export const realmBotUpdate = defineEvent('realm_bot/update', {
  doc: 'What the receiver may configure of this bot changed. Name, address, picture and owner come by `realm_user`.',
  fields: updated,
  changesDirectory: true,
  // The token is in no audit log.
  audit: ({ bot: { user_id, services } }, { users }) => {
    const row: { service?: { base_url: string } | null } | undefined = users.get(user_id)
    const service_url = services?.[0]?.base_url
    return service_url === undefined
      ? []
      : changed({ user_id }, { service_url: row?.service?.base_url }, { service_url })
  },
  apply(state, { bot: { user_id, ...change } }) {
    const bot = state.realm_bots?.[user_id]
    if (bot) Object.assign(bot, change)
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
