import { defineEvent } from './event.js'

/** The settings of a bot that its owner and administrators may change. */
export interface RealmBotObject {
  readonly user_id: number
  readonly default_all_public_streams: boolean
  readonly default_events_register_stream: string | null
  readonly default_sending_stream: string | null
  readonly services: readonly never[]
}

type Bots = { user_id: number }[] | undefined

/** `bots`: one wire event per bot. */
export type RealmBotAddPayload = { bot: RealmBotObject } | { bots: readonly RealmBotObject[] }
export type RealmBotDeletePayload = { bot: { user_id: number } } | { bots: readonly { user_id: number }[] }

const forms = <Bot>(payload: { bot: Bot } | { bots: readonly Bot[] }) =>
  'bots' in payload ? payload.bots.map(bot => ({ bot })) : { bot: payload.bot }
const width = (payload: { bots: readonly unknown[] } | object): number => ('bots' in payload ? payload.bots.length : 1)

export const realmBotAdd = defineEvent<RealmBotAddPayload>('realm_bot/add', {
  doc: 'A bot that the receiver may set up: it was made, or the receiver became an administrator.',
  render: forms,
  width,
  apply(state, event) {
    const bot = event.bot as RealmBotObject
    const bots = state.realm_bots as Bots
    if (bots) state.realm_bots = [...bots.filter(one => one.user_id !== bot.user_id), bot]
  },
})

export const realmBotDelete = defineEvent<RealmBotDeletePayload>('realm_bot/delete', {
  doc: 'The receiver may no longer set up this bot.',
  render: forms,
  width,
  apply(state, event) {
    const { user_id } = event.bot as { user_id: number }
    const bots = state.realm_bots as Bots
    if (bots) state.realm_bots = bots.filter(one => one.user_id !== user_id)
  },
})
