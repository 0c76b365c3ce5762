import { z } from 'zod'
import { limits } from '../../../shared/limits.js'
import { startImport as start } from '../../actions/imports/start-import.js'
import { boolean, idNumber, json, keptText, list, pathId, record, text } from '../../params/schemas.js'
import { administrators } from '../../policies/allow.js'
import { mostChoosable } from '../../transfer/plan.js'
import { route } from '../route.js'
import { isWithoutNull } from './params.js'

const noNull = 'Must not contain null bytes.'
const keysWithoutNull = [(value: object) => Object.keys(value).every(isWithoutNull), noNull] as const

export const startImport = route({
  operation: 'start_import',
  method: 'POST',
  path: '/imports/{import_id}/start',
  doc: 'Starts the import of an archive that was checked. After a failure it goes on where it was; what was chosen counts until the first message is written. Administrators only.',
  allow: administrators,
  params: z.object({
    import_id: pathId().describe('The archive.'),
    people: json(record(idNumber, mostChoosable).refine(...keysWithoutNull))
      .default({})
      .describe('Ids of accounts that people of the archive are, by the keys of these people.'),
    channels: json(record(keptText(limits.max_stream_name_length), mostChoosable).refine(...keysWithoutNull))
      .default({})
      .describe('Names that channels get, by their keys.'),
    left_out_channels: json(list(text().refine(isWithoutNull, noNull), mostChoosable))
      .default([])
      .describe('Keys of channels that are not imported.'),
    out_of_order: boolean()
      .default(false)
      .describe('Also messages that are older than those of an earlier import; they stand behind these.'),
  }),
  returns: z.object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  isAdministrative: true,
  async handle({ ctx, actor, params }) {
    const { import_id: id, people, channels, left_out_channels: leftOut, out_of_order: outOfOrder } = params
    await start(ctx, actor, id, { people, channels, leftOut, outOfOrder })
    return {}
  },
})
