import { builtInFragments } from '../../../shared/resources/navigation-view.js'
import type { Condition } from '../../params/conditions.js'
import { boolean, keptText } from '../../params/schemas.js'

// Browsers do not show longer addresses, and clients do not show longer names.
const maxLength = 2048

export const fragment = keptText(maxLength).describe(
  'The hash of the view’s address, without `#`; it identifies the view.',
)
export const isPinned = boolean().describe('Shown in the side bar; otherwise in the menu of more views.')
export const viewName = keptText(maxLength).optional().describe('Name of a custom view; built-in ones have their own.')

/** Built-in views have names of their own. */
export const onlyCustomNames: Condition<'fragment' | 'name'> = {
  when: { fragment: [...builtInFragments] },
  noneOf: ['name'],
  refusal: 'Built-in views cannot have a custom name.',
}
