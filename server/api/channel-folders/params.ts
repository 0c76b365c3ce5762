import { z } from 'zod'
import { codePoints, limits } from '../../../shared/limits.js'
import { pathId } from '../../params/schemas.js'
import { cleanName, isNameText } from '../../text/clean-name.js'
import { wellFormed } from '../../text/content.js'

/** The name in the form in which the server stores it (docs/protocol/names.md). */
export const folderName = z
  .string()
  .transform(cleanName)
  .refine(name => name !== '', 'Channel folder name cannot be empty.')
  .refine(name => codePoints(name) <= limits.max_channel_folder_name_length, 'Channel folder name too long.')
  .refine(isNameText, 'Invalid character in channel folder name.')
  .meta({ minLength: 1, maxLength: limits.max_channel_folder_name_length })

export const folderDescription = z
  .string()
  .transform(text => wellFormed(text.trim()))
  .refine(
    text => codePoints(text) <= limits.max_channel_folder_description_length,
    'Channel folder description too long.',
  )
  .refine(text => !text.includes('\0'), 'Invalid character in channel folder description.')
  .meta({ maxLength: limits.max_channel_folder_description_length })

export const folderId = () => pathId().describe('The folder.')
