import { z } from 'zod'
import { eventDefs } from '../../../shared/events/index.js'
import { json, list, shortId } from '../../params/schemas.js'
import { serverUrl } from '../bots/bot-params.js'

const known = [...new Set([...eventDefs.values()].filter(def => !def.name.startsWith('_')).map(def => def.type))].sort()

export const subscriptionId = () => shortId().describe('As `get_event_subscriptions` lists it.')

export const eventUrl = () => serverUrl().describe('An address of http: or https: that gets a POST for each event.')

export const eventTypes = () =>
  json(list(z.enum(known), known.length).refine(types => types.length > 0, 'Must not be empty.'))
    .transform(types => [...new Set(types)])
    .describe('The types of events that are sent, as in `register`.')
