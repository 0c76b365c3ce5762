import { limits } from '../../../shared/limits.js'
import { keptText, pathId } from '../../params/schemas.js'

export const snippetId = pathId().describe('The saved snippet.')
export const snippetTitle = keptText(limits.saved_snippet_title_length).describe('Title, without the spaces around it.')
export const snippetContent = keptText(limits.max_message_length).describe('Markdown source.')
