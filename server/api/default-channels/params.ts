import { z } from 'zod'
import { codePoints, limits } from '../../../shared/limits.js'
import { budgets } from '../../config/budgets.js'
import { json, list, pathId, text } from '../../params/schemas.js'
import { cleanName, isNameText } from '../../text/clean-name.js'
import { wellFormed } from '../../text/content.js'

/** The name in the form in which the server stores it (docs/protocol/names.md). */
export const groupName = z
  .string()
  .transform(cleanName)
  .refine(name => name !== '', 'Group name cannot be empty.')
  .refine(name => codePoints(name) <= limits.max_stream_name_length, 'Group name too long.')
  .refine(isNameText, 'Invalid character in group name.')
  .meta({ minLength: 1, maxLength: limits.max_stream_name_length })

export const groupDescription = z
  .string()
  .transform(text => wellFormed(text.trim()))
  .refine(text => codePoints(text) <= limits.max_stream_description_length, 'Group description too long.')
  .refine(text => !text.includes('\0'), 'Invalid character in group description.')
  .meta({ maxLength: limits.max_stream_description_length })

export const groupId = () => pathId().describe('The group.')
export const channelNames = () => json(list(text(), budgets.channelsPerRequest.most))
