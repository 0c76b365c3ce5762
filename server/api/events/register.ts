import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import { featureLevel, serverVersion } from '../../../shared/limits.js'
import { notePublicReader } from '../../actions/users/note-public-reader.js'
import type { Ctx } from '../../ctx.js'
import { requireSpectatorAccess } from '../../policies/spectators.js'
import { type JsonChunk, JsonFields, route } from '../route.js'
import type { StateOptions } from '../state-piece.js'
import { queueOptions, viewOf } from './queue-options.js'
import { readState } from './read-state.js'
import { registerFields } from './register-fields.js'
import { type RegisterParams, registerParams } from './register-params.js'

/** Registers a queue and returns the state that its events continue (docs/protocol/register.md#state-and-events-fit-together). */
export const register = route({
  operation: 'register',
  method: 'POST',
  path: '/register',
  doc: 'Registers an event queue, and returns the state from which its events continue.',
  allow: 'optional',
  params: registerParams,
  returns: z.object({
    queue_id: z.string().nullable().describe('Null for a spectator, who gets no queue.'),
    last_event_id: z.int(),
    idle_queue_timeout_secs: z.int(),
    service_version: z.string(),
    service_feature_level: z.int(),
    service_merge_base: z.string(),
    ...registerFields,
  }),
  errors: ['BAD_REQUEST', 'BAD_NARROW', 'UNAUTHORIZED', 'RATE_LIMIT_HIT', 'SERVER_NOT_READY'],
  isBranded: true,
  async handle({ ctx, actor, params }) {
    if (!actor) return await forSpectator(ctx, params)
    const view = viewOf(params, false)
    const queue = queueOptions(ctx, actor.user, params, view)
    if (queue.allPublicStreams) await notePublicReader(ctx, actor.user.id)
    const options = stateOptions(params, view)
    const { queueId, state } = await ctx.realtime.register(queue, () => readState(ctx, { actor, options }))
    return answer(ctx, { queue_id: queueId, idle_queue_timeout_secs: queue.idleSeconds }, state.fields)
  },
})

async function forSpectator(ctx: Ctx, params: RegisterParams): Promise<JsonFields> {
  await ctx.directory.fresh()
  requireSpectatorAccess(ctx.directory, null)
  if (params.client_gravatar) throw badRequest('Invalid client_gravatar parameter for anonymous request')
  if (params.include_subscribers !== 'false') {
    throw badRequest('Invalid include_subscribers parameter for anonymous request')
  }
  const { fields } = await readState(ctx, { actor: null, options: stateOptions(params, viewOf(params, true)) })
  return answer(ctx, { queue_id: null, idle_queue_timeout_secs: ctx.config.queueIdleSeconds }, fields)
}

function stateOptions(params: RegisterParams, view: StateOptions['view']): StateOptions {
  const asked = params.fetch_event_types ?? params.event_types ?? null
  return {
    view,
    fetchEventTypes: asked && new Set(asked),
    presenceHistoryDays: params.presence_history_limit_days,
    slimUsers: params.slim_users,
  }
}

function answer({ config }: Ctx, queue: Record<string, unknown>, fields: readonly JsonChunk[]): JsonFields {
  const head = {
    ...queue,
    last_event_id: -1,
    [`${config.wireBrand}_version`]: serverVersion,
    [`${config.wireBrand}_feature_level`]: featureLevel,
    [`${config.wireBrand}_merge_base`]: serverVersion,
  }
  return new JsonFields(JSON.stringify(head).slice(1, -1), ...fields)
}
